/** Changing one's own password. */
import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { fieldProblems, inWords } from "@/api/client";
import { changePassword } from "@/api/session";
import { PageHeader } from "@/components/page-header";
import { done } from "@/components/toasts";
import classes from "./auth.module.css";

const shortest = 10;

export function PasswordForm() {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", wanted: "", again: "" },
    validate: {
      current: (value) => (value === "" ? "Enter the password you have now." : null),
      wanted: (value) => (value.length < shortest ? `Use at least ${shortest} characters.` : null),
      again: (value, all) => (value === all.wanted ? null : "This differs from the new password above."),
    },
  });
  const changing = useMutation({
    mutationFn: (values: { current: string; wanted: string }) =>
      changePassword({ current_password: values.current, new_password: values.wanted }),
    onSuccess: () => {
      form.reset();
      done("Password changed", "Use the new one the next time you sign in.");
    },
    onError: (error) => {
      const problems = fieldProblems(error);
      form.setErrors({ current: problems["current_password"], wanted: problems["new_password"] });
    },
  });
  return (
    <>
      <PageHeader title="Change password" />
      <form
        className={classes["panel"]}
        noValidate
        onSubmit={form.onSubmit((values) => changing.mutate(values))}
      >
        <div className={classes["fields"]}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            key={form.key("current")}
            {...form.getInputProps("current")}
          />
          <PasswordInput
            label="New password"
            description={`At least ${shortest} characters; a few words in a row are easy to remember.`}
            autoComplete="new-password"
            key={form.key("wanted")}
            {...form.getInputProps("wanted")}
          />
          <PasswordInput
            label="New password, again"
            autoComplete="new-password"
            key={form.key("again")}
            {...form.getInputProps("again")}
          />
          {changing.isError && Object.keys(fieldProblems(changing.error)).length === 0 && (
            <p role="alert" className={classes["problem"]}>
              {inWords(changing.error)}
            </p>
          )}
          <div>
            <Button type="submit" loading={changing.isPending}>
              Change password
            </Button>
          </div>
        </div>
      </form>
    </>
  );
}
