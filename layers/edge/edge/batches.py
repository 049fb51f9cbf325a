"""A batch of the finish queue: each conversation on its own, and only those that failed come again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.utilities.batch import SqsFifoPartialProcessor, process_partial_response
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.observability import log_fault
from edge.queues import Waiting


def work_through(
    event: Mapping[str, Any], context: LambdaContext, work: Callable[[Waiting], None]
) -> PartialItemFailureResponse:
    """Do the work for every conversation of the batch; what raises is left in the queue, and its group with
    it.
    """

    def one(record: SQSRecord) -> None:
        try:
            work(Waiting.from_body(record.body))
        except Exception as error:
            log_fault(error)
            raise

    processor = SqsFifoPartialProcessor(skip_group_on_error=True)
    # It would put the errors' texts into one of its own.
    processor.raise_on_entire_batch_failure = False
    return process_partial_response(dict(event), one, processor, context)
