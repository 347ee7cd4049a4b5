"""Queries of changes, jobs and the sweep: ``cypher/{change,job,watch}``."""

from dataclasses import dataclass

from app.graph.catalog import Query
from app.graph.queries.recheck import AnswerIds


@dataclass(frozen=True, slots=True)
class TenantRow:
    """A tenant with something to do."""

    tenant: str


@dataclass(frozen=True, slots=True)
class ChangeId:
    """An open change."""

    change_id: str


@dataclass(frozen=True, slots=True)
class JobCount:
    """How many jobs a change led to."""

    jobs: int


@dataclass(frozen=True, slots=True)
class JobId:
    """A job's id."""

    job_id: str


@dataclass(frozen=True, slots=True)
class Leased:
    """A job that was just leased; ``attempts`` counts this lease."""

    kind: str
    why: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class RunAt:
    """When a job may be leased again, µs of the real clock."""

    run_at: int


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job in a list; ``run_at`` is of the real clock, ``created_at`` of the stack's, µs."""

    job_id: str
    kind: str
    why: str | None
    state: str
    answers: int
    run_at: int
    attempts: int
    reason: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class JobDetail:
    """One job whole."""

    job_id: str
    kind: str
    why: str | None
    state: str
    audience: str
    ids: list[str]
    run_at: int
    attempts: int
    reason: str | None
    created_at: int
    payload_json: str | None
    changes: list[str]


@dataclass(frozen=True, slots=True)
class Retried:
    """A job offered again; a task's payload goes back to the broker."""

    kind: str
    payload_json: str | None


@dataclass(frozen=True, slots=True)
class DueLeased:
    """How many answers got a check, of those ``seen`` that were due."""

    answers: int
    seen: int


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """What a tenant still has to do; ``oldest_change_at`` in µs."""

    open_changes: int
    open_jobs: int
    parked_jobs: int
    open_windows: int
    due_answers: int
    oldest_change_at: int | None


READ_OPEN_CHANGES = Query("change/read_open", ChangeId)
CHANGE_TENANTS = Query("change/read_tenants", TenantRow)
CLAIM_CHANGES = Query("change/claim_changes", JobCount)
JOB_TENANTS = Query("job/read_tenants", TenantRow)
READ_OPEN_JOBS = Query("job/read_open", JobId)
LEASE_JOB = Query("job/lease_job", Leased)
RENEW_JOB = Query("job/renew_job", RunAt)
HOLD_JOB = Query("job/hold_job", JobId)
FINISH_JOB = Query("job/finish_job", JobId)
PUT_BACK_JOB = Query("job/put_back_job", JobId)
READ_WANTED = Query("job/read_wanted", AnswerIds)
CREATE_JOB = Query("job/create_job", JobId)
PARK_TASK = Query("job/park_task", JobId)
LIST_JOBS = Query("job/list_jobs", JobRow)
SHOW_JOB = Query("job/show_job", JobDetail)
RETRY_JOB = Query("job/retry_job", Retried)
LEASE_DUE = Query("watch/lease_due", DueLeased)
ANSWER_TENANTS = Query("watch/read_tenants", TenantRow)
READ_PROGRESS = Query("job/read_progress", ProgressRow)
