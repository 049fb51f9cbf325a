import { describe, expect, it } from "vitest";
import { cognitoSignOutUrl } from "@/session/oidcSignIn";

const home = "https://d111.cloudfront.net/";

describe("signing out at a Cognito user pool", () => {
  it("names the client and where to return to, as its endpoint wants it", () => {
    const config = {
      authority: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12",
      client_id: "1example2",
    };
    const authorize = "https://omniforge-1.auth.eu-west-1.amazoncognito.com/oauth2/authorize";

    expect(cognitoSignOutUrl(config, authorize, home)).toBe(
      "https://omniforge-1.auth.eu-west-1.amazoncognito.com/logout?client_id=1example2&logout_uri=https%3A%2F%2Fd111.cloudfront.net%2F",
    );
  });

  it("is left to OpenID Connect for any other provider", () => {
    const config = { authority: "https://id.example/cognito-idp.eu-west-1.amazonaws.com/", client_id: "c" };

    expect(cognitoSignOutUrl(config, "https://id.example/authorize", home)).toBeNull();
    expect(
      cognitoSignOutUrl(
        { ...config, authority: "https://cognito-idp.eu-west-1.amazonaws.com/x" },
        undefined,
        home,
      ),
    ).toBeNull();
  });
});
