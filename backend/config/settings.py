"""One settings module for every place the product runs; what differs comes from the environment."""

from pathlib import Path
from urllib.parse import urlsplit

from backend.config import env, logs

BASE_DIR = Path(__file__).resolve().parent.parent.parent

# -- what differs between installations ----------------------------------------------------------
DEBUG = env.boolean("HEDDLE_DEBUG", default=False)
HEDDLE_DATA = Path(env.text("HEDDLE_DATA", str(BASE_DIR / ".data"))).resolve()
SECRET_KEY = env.secret("HEDDLE_SECRET_KEY")
HEDDLE_CREDENTIAL_KEYS = env.key_ring("HEDDLE_CREDENTIAL_KEYS")
HEDDLE_PUBLIC_URL = env.origin("HEDDLE_PUBLIC_URL", "http://127.0.0.1:8000")
HEDDLE_METRICS_TOKEN = env.optional_secret("HEDDLE_METRICS_TOKEN")
HEDDLE_EGRESS_ALLOW = [entry.lower() for entry in env.listing("HEDDLE_EGRESS_ALLOW")]
REDIS_URL = env.required("REDIS_URL", hint="It names Redis, for example redis://127.0.0.1:6379/0")

HEDDLE_HEARTBEAT_S = env.seconds("HEDDLE_HEARTBEAT_S", default=5)
HEDDLE_LEASE_TTL_S = env.seconds("HEDDLE_LEASE_TTL_S", default=15)
HEDDLE_SWEEP_S = env.seconds("HEDDLE_SWEEP_S", default=2)
HEDDLE_IO_SLOTS = env.integer("HEDDLE_IO_SLOTS", default=1200, minimum=1, maximum=10_000)
HEDDLE_WEB_THREADS = env.integer("HEDDLE_WEB_THREADS", default=8, minimum=1, maximum=200)
#: Whether steps may start from results that are not stored yet.
HEDDLE_RUN_AHEAD = env.boolean("HEDDLE_RUN_AHEAD", default=True)
HEDDLE_MAX_MAP_ITEMS = env.integer(
    "HEDDLE_MAX_MAP_ITEMS", default=100_000, minimum=1, maximum=10**7
)
HEDDLE_MAX_RUN_STEPS = env.integer("HEDDLE_MAX_RUN_STEPS", default=10**6, minimum=1, maximum=10**8)
HEDDLE_MAX_CALL_DEPTH = env.integer("HEDDLE_MAX_CALL_DEPTH", default=10, minimum=1, maximum=100)
HEDDLE_MAX_NESTING = env.integer("HEDDLE_MAX_NESTING", default=5, minimum=1, maximum=20)
HEDDLE_MAX_LOOP_ROUNDS = env.integer(
    "HEDDLE_MAX_LOOP_ROUNDS", default=10_000, minimum=1, maximum=10**7
)
HEDDLE_MAX_NODES = env.integer("HEDDLE_MAX_NODES", default=5000, minimum=1, maximum=100_000)
HEDDLE_MAX_DOCUMENT_BYTES = env.integer(
    "HEDDLE_MAX_DOCUMENT_BYTES", default=2 * 1024**2, minimum=10_000, maximum=64 * 1024**2
)
HEDDLE_MAX_RESULT_BYTES = env.integer(
    "HEDDLE_MAX_RESULT_BYTES", default=32 * 1024**2, minimum=64 * 1024, maximum=1024**3
)
#: What a workspace may have unfinished before no more of its runs are taken on.
HEDDLE_MAX_OPEN_STEPS = env.integer(
    "HEDDLE_MAX_OPEN_STEPS", default=200_000, minimum=1, maximum=10**9
)
HEDDLE_MAX_OPEN_RUNS = env.integer("HEDDLE_MAX_OPEN_RUNS", default=10_000, minimum=1, maximum=10**7)

_public = urlsplit(HEDDLE_PUBLIC_URL)
HEDDLE_HTTPS = _public.scheme == "https"
# Probes and the supervisor ask over loopback, whatever the installation's own names are.
ALLOWED_HOSTS = sorted(
    {"127.0.0.1", "localhost", "[::1]"}
    | set(env.listing("HEDDLE_ALLOWED_HOSTS", [_public.hostname or "localhost"]))
)

# -- Django --------------------------------------------------------------------------------------
ROOT_URLCONF = "backend.config.urls"
ASGI_APPLICATION = "backend.config.asgi.application"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "channels",
    "django_celery_beat",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "backend.api",
    "backend.workspaces",
    "backend.accounts",
    "backend.credentials",
    "backend.workflows",
    "backend.limits",
    "backend.runs",
    "backend.realtime",
    "backend.monitoring",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "backend.config.headers.SecurityHeaders",
    "backend.config.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# -- PostgreSQL ----------------------------------------------------------------------------------
# Under ASGI persistent connections leak one per request; the pool keeps them instead.
DATABASES = {"default": {**env.postgres("DATABASE_URL"), "CONN_MAX_AGE": 0}}
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"]["OPTIONS"],
    "application_name": "heddle",
    # Statements that come again and again are planned once a connection. A pooler that hands a
    # connection from client to client between transactions may not know them.
    "prepare_threshold": 5 if env.boolean("HEDDLE_DB_PREPARE", default=True) else None,
    "pool": {
        "min_size": 1,
        "max_size": env.integer("HEDDLE_DB_POOL", default=16, minimum=2, maximum=200),
        "timeout": 10,
    },
}

# -- Redis: coordination only; it may be flushed at any time -------------------------------------
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "heddle:cache",
        # Django's own serializer is pickle, which would run what someone wrote into Redis.
        "OPTIONS": {"serializer": "backend.config.cache.JsonSerializer"},
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "heddle:layer"},
    }
}

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "io"
# Messages only wake workers: a lost one is repaired by the sweeper, a doubled one finds no work.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
    "global_keyprefix": "heddle:",
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
CELERY_TIMEZONE = "UTC"

# -- people --------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("UserAttributeSimilarityValidator", {"user_attributes": ["email", "name"]}),
    )
]
ACCOUNT_ADAPTER = "backend.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
LOGIN_URL = "/sign-in"

SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HEDDLE_HTTPS
SESSION_COOKIE_NAME = "__Host-heddle" if HEDDLE_HTTPS else "heddle"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HEDDLE_HTTPS
CSRF_TRUSTED_ORIGINS = [HEDDLE_PUBLIC_URL]
CSRF_FAILURE_VIEW = "backend.config.errors.csrf_failed"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HEDDLE_HTTPS else 0
# HTTP is redirected by what ends TLS; plain requests from inside, as health checks, must pass.
SECURE_SSL_REDIRECT = False
SILENCED_SYSTEM_CHECKS = [
    "security.W008",
    # Whether other hosts of the domain speak HTTPS too is not ours to promise.
    "security.W005",
    "security.W021",
    *([] if HEDDLE_HTTPS else ["security.W004", "security.W012", "security.W016"]),
]
X_FRAME_OPTIONS = "DENY"

# -- the API -------------------------------------------------------------------------------------
# A document as large as may be, and what comes with it.
DATA_UPLOAD_MAX_MEMORY_SIZE = HEDDLE_MAX_DOCUMENT_BYTES + 1024**2
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "backend.config.errors.handle_error",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "backend.accounts.authentication.ApiKeyAuthentication",
        "backend.accounts.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["backend.workspaces.permissions.InWorkspace"],
    "DEFAULT_PARSER_CLASSES": ["backend.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["backend.api.renderers.FastJSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "backend.api.negotiation.JSONUnlessRefused",
    "DEFAULT_PAGINATION_CLASS": "backend.api.pages.CursorPage",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Heddle API",
    "VERSION": "1",
    "DESCRIPTION": "Everything that the screen can do, for programs.",
    # The document's model is described in the JSON Schema that this version of OpenAPI speaks.
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "backend.config.openapi.add_conventions",
    ],
    "ENUM_NAME_OVERRIDES": {
        "RunStatus": "backend.runs.models.RUN_STATUSES",
        "StepStatus": "backend.runs.models.STEP_STATUSES",
    },
}

# -- files ---------------------------------------------------------------------------------------
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": HEDDLE_DATA / "files"},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    # Results too large for their row. Every web and worker process must see the same folder.
    "results": {
        "BACKEND": "backend.runs.whole_files.WholeFileStorage",
        "OPTIONS": {"location": HEDDLE_DATA / "results"},
    },
}
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
# Files are served from where packages keep them, so that a start needs no collecting step.
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
# The front end's build writes a digest into these names.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$"
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ROOT = FRONTEND_DIST if FRONTEND_DIST.is_dir() else None

# -- logs ----------------------------------------------------------------------------------------
LOGGING_CONFIG = None
logs.configure(
    style=env.choice("HEDDLE_LOG_FORMAT", default="console", choices=["console", "json"]),
    level=env.choice("HEDDLE_LOG_LEVEL", default="INFO", choices=["DEBUG", "INFO", "WARNING"]),
)
