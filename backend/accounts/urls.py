from allauth.headless.account import views as allauth_views
from allauth.headless.constants import Client
from django.urls import path

from backend.accounts import views

# Only these of the library's addresses are open: the others send mail or make accounts.
AUTH = "auth/browser/v1/"

urlpatterns = [
    path(
        f"{AUTH}auth/login",
        allauth_views.LoginView.as_api_view(client=Client.BROWSER),
        name="auth-login",
    ),
    path(
        f"{AUTH}auth/session",
        allauth_views.SessionView.as_api_view(client=Client.BROWSER),
        name="auth-session",
    ),
    path(
        f"{AUTH}account/password/change",
        allauth_views.ChangePasswordView.as_api_view(client=Client.BROWSER),
        name="auth-password-change",
    ),
    path("session/", views.SessionView.as_view(), name="session"),
    path("api-keys/", views.ApiKeyListView.as_view(), name="api-keys"),
    path("api-keys/<uuid:key_id>/", views.ApiKeyView.as_view(), name="api-key"),
]
