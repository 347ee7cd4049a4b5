"""Queries of requests and audit events: ``cypher/{request,event}``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.rows import Nothing


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request id as it is taken: by which body, and with which result once it has one."""

    digest: str
    result_json: str | None


OPEN_REQUEST = Query("request/open_request", RequestRow)
CLOSE_REQUEST = Query("request/close_request", Nothing)
READ_REQUEST = Query("request/read_request", RequestRow)
LOG_SOURCE_EVENT = Query("event/log_source_event", Nothing)
LOG_CLARIFICATION_EVENT = Query("event/log_clarification_event", Nothing)
LOG_ANSWER_EVENT = Query("event/log_answer_event", Nothing)
