import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "@/testing/open-page";
import { serve, signedIn, signedOut } from "@/testing/server";

const emptyPage = { body: { results: [], next: null, previous: null } };

it("sends whoever is signed out to the sign-in page and back to where they wanted to go", async () => {
  let inside = false;
  const sent = serve({
    "GET session/": (request) => (inside ? signedIn(request) : signedOut(request)),
    "GET api-keys/": () => emptyPage,
    "POST auth/browser/v1/auth/login": () => {
      inside = true;
      return { body: { status: 200 } };
    },
  });
  const { router, user } = openPage("/api-keys");

  await user.type(await screen.findByLabelText("E-mail address"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  expect(await screen.findByRole("heading", { name: "API keys" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/api-keys");
  expect(sent.find((each) => each.method === "POST")?.body).toEqual({
    email: "ada@example.org",
    password: "correct horse",
  });
});

it("says in words that address and password do not fit", async () => {
  serve({
    "GET session/": signedOut,
    "POST auth/browser/v1/auth/login": () => ({
      status: 400,
      body: {
        status: 400,
        errors: [{ code: "email_password_mismatch", message: "Wrong.", param: "password" }],
      },
    }),
  });
  const { user } = openPage("/sign-in");

  await user.type(await screen.findByLabelText("E-mail address"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "wrong");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("do not belong together");
});

it("asks for both fields before it sends anything", async () => {
  const sent = serve({ "GET session/": signedOut });
  const { user } = openPage("/sign-in");

  await user.click(await screen.findByRole("button", { name: "Sign in" }));

  expect(screen.getByText("Enter your password.")).toBeVisible();
  expect(sent.some((each) => each.method === "POST")).toBe(false);
});

it("shows monitoring to administrators only", async () => {
  serve({
    "GET session/": (request) => {
      const { body } = signedIn(request) as { body: { user: object } };
      return { body: { ...body, user: { ...body.user, is_admin: false } } };
    },
  });
  openPage("/monitoring");

  await waitFor(() => expect(screen.getByText("Nothing is at this address")).toBeVisible());
});
