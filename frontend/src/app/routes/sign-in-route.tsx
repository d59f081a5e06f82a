/** The sign-in page, and the way back to where the person wanted to go. */
import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { SignInForm } from "@/features/auth/sign-in-form";
import { placeAfterSignIn } from "../place-after-sign-in";

export function SignInRoute() {
  const { next } = useSearch({ from: "/sign-in" });
  const queryClient = useQueryClient();
  const router = useRouter();
  const enter = async () => {
    await queryClient.query({ ...sessionQuery, staleTime: 0 });
    router.history.replace(placeAfterSignIn(next));
  };
  return <SignInForm onSignedIn={() => void enter()} />;
}
