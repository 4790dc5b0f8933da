/**
 * Why a call to an address that somebody gave was not made or not answered: one row a cause. Codes are stable; a retired one is never
 * used again. A text names the value and the remedy, for the person who gave the address.
 */
export const outsideErrors = {
  invalid_url: (value) => `"${value}" is no address that can be called: give one that starts with https:// or http://.`,
  credentials_in_url: (host) =>
    `The address of ${host} holds a user name or a password: leave them out of it and send them as authentication.`,
  private_address: (value) =>
    `${value} is an address of a private network, which Parley does not call. Whoever runs this server can allow it with OUTBOUND_ALLOW.`,
  metadata_address: (value) => `${value} is where a cloud keeps its machines' secrets. Parley never calls it.`,
  invalid_method: (value) => `The method "${value}" can't be sent: use GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.`,
  invalid_header: (name) =>
    `The header "${name}" can't be sent: a name has letters, digits and hyphens, a value has one line.`,
  forbidden_header: (name) => `The header "${name}" is set by the connection itself: leave it out.`,
  unknown_host: (host) => `There is no server by the name ${host}: check its spelling.`,
  refused: (host) => `${host} takes no connections there: check the address and its port.`,
  unreachable: (host) => `${host} can't be reached from this server: check the address, or try again later.`,
  tls: (detail) => `The connection is not secure, so nothing was sent: ${detail}.`,
  closed: (host) => `${host} closed the connection without a whole answer. Try again later.`,
  no_http: (host) => `What ${host} answered is no HTTP: check the port and https:// or http://.`,
  bad_encoding: (value) => `The answer is encoded as "${value}" and could not be unpacked.`,
  too_many_redirects: (url) => `The call was redirected too many times, at last to ${url}. Give the final address.`,
  bad_redirect: (value) => `The answer redirects to "${value}", which is no address that can be called.`,
  secret_redirect: (origin) =>
    `The answer redirects to ${origin}, another server: the secrets in the body are not sent there. Give the final address.`,
  too_large: (limit) => `The answer is larger than ${limit}.`,
  timeout: (seconds) => `There was no whole answer within ${seconds} s. Allow more time, or ask for less.`,
  aborted: () => 'The call was cancelled.',
} as const satisfies Record<string, (value: string) => string>

export type OutsideErrorCode = keyof typeof outsideErrors

/** Thrown by an outside fetch for every way in which it can fail. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  constructor(
    readonly code: OutsideErrorCode,
    value = '',
    options?: { cause?: unknown },
  ) {
    super(outsideErrors[code](value.length > 200 ? `${value.slice(0, 200)}…` : value), options)
  }
}
