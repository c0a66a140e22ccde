"""FRONT DOOR `SignOn`: what the app holds to sign people on."""

from dataclasses import dataclass

from assay.store.sign_on.lti_courses import LtiContext
from assay.web.sign_on.oidc import OidcProvider
from assay.web.sign_on.outgoing import Outgoing, SignOnProblem
from assay.web.sign_on.settings import LtiPlatform, SignOnSettings
from assay.web.sign_on.tokens import KeySets


@dataclass(frozen=True, eq=False, slots=True)
class Platform:
    """A learning platform, and the servers of it that we may ask."""

    settings: LtiPlatform
    outgoing: Outgoing
    keys: KeySets


class SignOn:
    """The provider and the platforms of this installation."""

    def __init__(self, settings: SignOnSettings) -> None:
        self.url, self.oidc = settings.url, None
        if settings.oidc is not None:
            outgoing = Outgoing([settings.oidc.issuer], settings.oidc.hosts)
            self.oidc = OidcProvider(settings.oidc, outgoing, KeySets(outgoing))
        self.platforms = tuple(_platform(one) for one in settings.platforms)

    def platform(self, issuer: str, client_id: str = "") -> Platform:
        """The platform of an issuer; of several clients there, the one that is named."""
        fitting = [one for one in self.platforms if one.settings.issuer == issuer]
        if client_id:
            fitting = [one for one in fitting if one.settings.client_id == client_id]
        if len(fitting) != 1:
            raise SignOnProblem("This learning platform is not registered. Ask an administrator to register it.")
        return fitting[0]

    def of_context(self, context: LtiContext) -> Platform:
        return self.platform(context.issuer, context.client_id)


def _platform(settings: LtiPlatform) -> Platform:
    addresses = (settings.token_url, settings.keys_url, settings.authorization_url)
    outgoing = Outgoing(addresses, settings.hosts)
    return Platform(settings, outgoing, KeySets(outgoing))
