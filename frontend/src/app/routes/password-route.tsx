/** The page on which a person changes their password. */
import { PasswordForm } from "@/features/auth/password-form";

export function PasswordRoute() {
  return <PasswordForm />;
}
