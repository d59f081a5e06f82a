from django.urls import path

from backend.credentials import views

ONE = "credentials/<uuid:credential_id>/"

urlpatterns = [
    path("credentials/", views.CredentialListView.as_view(), name="credentials"),
    path(ONE, views.CredentialView.as_view(), name="credential"),
    path(f"{ONE}test/", views.CredentialTestView.as_view(), name="credential-test"),
]
