"""CloudWatch alarms over the lines that functions wrote and over values that AWS itself would measure.

All values count as one period's. Only what our alarms use is known: their statistics, and of metric math
arithmetic, comparisons, IF, SUM and METRICS. SUM passes over metrics without a value; with one of them, any
other expression has no value.
"""

from __future__ import annotations

import ast
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Dimensions = frozenset[tuple[str, str]]
Value = float | None

_OPERATORS: Mapping[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Datum(NamedTuple):
    """One value of a metric."""

    namespace: str
    metric: str
    dimensions: Dimensions
    value: float


def measured_in(log: str) -> Iterator[Datum]:
    """The values in a log's lines of embedded metric format; other lines have none.

    Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
    """
    for line in log.splitlines():
        document = _document(line)
        for directive in document.get("_aws", {}).get("CloudWatchMetrics", ()):
            for names in directive["Dimensions"]:
                dimensions = frozenset((name, str(document[name])) for name in names)
                for metric in directive["Metrics"]:
                    values = document[metric["Name"]]
                    for value in values if isinstance(values, list) else [values]:
                        yield Datum(directive["Namespace"], metric["Name"], dimensions, float(value))


def _document(line: str) -> Mapping[str, Any]:
    try:
        document = json.loads(line)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def ringing(alarms: Mapping[str, Mapping[str, Any]], data: Iterable[Datum]) -> set[str]:
    """The names of the alarms, given with their properties, that these values let ring."""
    known = list(data)
    return {name for name, alarm in alarms.items() if _rings(alarm, known)}


def watched(alarm: Mapping[str, Any]) -> Iterator[tuple[str, str, Dimensions]]:
    """Namespace, name and dimensions of every metric that an alarm looks at."""
    for metric in _metrics(alarm).values():
        yield metric["Namespace"], metric["MetricName"], _dimensions(metric)


def _rings(alarm: Mapping[str, Any], data: Sequence[Datum]) -> bool:
    assert alarm["TreatMissingData"] == "notBreaching"
    assert alarm["ComparisonOperator"] == "GreaterThanThreshold"
    assert alarm["EvaluationPeriods"] == 1
    value = _value(alarm, data)
    return value is not None and value > float(alarm["Threshold"])


def _value(alarm: Mapping[str, Any], data: Sequence[Datum]) -> Value:
    if "MetricName" in alarm:
        return _statistic(alarm, alarm.get("Statistic") or alarm["ExtendedStatistic"], data)
    values = {
        query["Id"]: _statistic(query["MetricStat"]["Metric"], query["MetricStat"]["Stat"], data)
        for query in alarm["Metrics"]
        if "MetricStat" in query
    }
    (told,) = (query["Expression"] for query in alarm["Metrics"] if query["ReturnData"])
    return _Expression(values).value(ast.parse(told, mode="eval").body)


def _metrics(alarm: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    if "MetricName" in alarm:
        return {"": alarm}
    return {query["Id"]: query["MetricStat"]["Metric"] for query in alarm["Metrics"] if "MetricStat" in query}


def _dimensions(metric: Mapping[str, Any]) -> Dimensions:
    return frozenset((each["Name"], str(each["Value"])) for each in metric.get("Dimensions", ()))


def _statistic(metric: Mapping[str, Any], statistic: str, data: Sequence[Datum]) -> Value:
    wanted = (metric["Namespace"], metric["MetricName"], _dimensions(metric))
    values = sorted(each.value for each in data if each[:3] == wanted)
    if not values:
        return None
    match statistic:
        case "Sum":
            return sum(values)
        case "Average":
            return sum(values) / len(values)
        case "Maximum":
            return values[-1]
        case _:
            assert statistic.startswith("p"), statistic
            return values[math.ceil(float(statistic[1:]) / 100 * len(values)) - 1]


class _Expression:
    """Metric math over one value per metric."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=float() | int() as number):
                return float(number)
            case ast.Name(id=name):
                return self._values[name]
            case (
                ast.BinOp(left=left, op=op, right=right)
                | ast.Compare(left=left, ops=[op], comparators=[right])
            ):
                return self._combined(op, left, right)
            case ast.Call(func=ast.Name(id="SUM"), args=[summed]):
                known = [value for value in self._series(summed) if value is not None]
                return sum(known) if known else None
            case ast.Call(func=ast.Name(id="IF"), args=[condition, then, otherwise]):
                holds = self.value(condition)
                return None if holds is None else self.value(then if holds else otherwise)
            case _:
                raise AssertionError(f"no metric math that is known here: {ast.unparse(node)}")

    def _series(self, node: ast.expr) -> list[Value]:
        if isinstance(node, ast.List):
            return [self.value(each) for each in node.elts]
        assert ast.unparse(node) == "METRICS()"
        return list(self._values.values())

    def _combined(self, op: ast.AST, left: ast.expr, right: ast.expr) -> Value:
        first, second = self.value(left), self.value(right)
        return None if first is None or second is None else float(_OPERATORS[type(op)](first, second))
