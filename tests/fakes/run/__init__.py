"""What a test run needs: clocks, counters, logs, and the operations of the API."""
