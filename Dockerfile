# One image, several commands: web, io worker, beat, and the one-shot set-up.

FROM node:22-bookworm-slim AS frontend
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
COPY gallery/ ../gallery/
RUN npm run build

FROM python:3.13-slim-bookworm AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements/base.txt /tmp/base.txt
RUN python -m venv /opt/heddle && /opt/heddle/bin/pip install --require-hashes -r /tmp/base.txt

FROM python:3.13-slim-bookworm
ENV PATH=/opt/heddle/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HEDDLE_DATA=/data
RUN useradd --system --uid 10001 --home-dir /data heddle && install -d -o heddle -g heddle /data
WORKDIR /srv/heddle
COPY --from=packages /opt/heddle /opt/heddle
COPY manage.py ./
COPY bin/lib/ bin/lib/
COPY backend/ backend/
COPY workers/ workers/
COPY gallery/ gallery/
COPY --from=frontend /build/frontend/dist/ frontend/dist/
USER heddle
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "uvicorn", "backend.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "on", "--no-access-log", "--log-config", "bin/lib/heddle_platform/uvicorn-logging.json", "--timeout-graceful-shutdown", "3"]
