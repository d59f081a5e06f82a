/** Signing in: who one is, and a refusal in words. */
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { ApiError, inWords } from "@/api/client";
import { signIn } from "@/api/session";
import { Logo } from "@/components/logo";
import classes from "./auth.module.css";

export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? "Enter your e-mail address." : null),
      password: (value) => (value === "" ? "Enter your password." : null),
    },
  });
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: settleSession(onSignedIn),
  });
  return (
    <main className={classes["page"]}>
      <title>Sign in · Heddle</title>
      <div className={classes["card"]}>
        <div className={classes["mark"]}>
          <Logo size={40} />
        </div>
        <h1>Sign in to Heddle</h1>
        <form
          className={classes["fields"]}
          noValidate
          onSubmit={form.onSubmit((values) => entering.mutate(values))}
        >
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            autoFocus
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          {entering.isError && (
            <p role="alert" className={classes["problem"]}>
              {signInProblem(entering.error)}
            </p>
          )}
          <Button type="submit" fullWidth loading={entering.isPending || entering.isSuccess}>
            Sign in
          </Button>
        </form>
      </div>
      <p className={classes["foot"]}>
        Forgotten the password? An administrator of this installation can set a new one.
      </p>
    </main>
  );
}

/** Somebody who is signed in already, in another tab, only needs to go on. */
function settleSession(onSignedIn: () => void) {
  return (error: Error) => {
    if (error instanceof ApiError && error.status === 409) onSignedIn();
  };
}

function signInProblem(error: Error): string {
  if (error instanceof ApiError && error.code === "email_password_mismatch") {
    return "That address and password do not belong together. Check both and try again.";
  }
  return inWords(error);
}
