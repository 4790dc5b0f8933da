/**
 * Why an outgoing call failed, one row per cause. Codes are stable; retired ones are never reused. A text names the
 * value and the remedy, for the person who entered the address.
 */
export const outboundErrors = {
  invalid_url: (value) => `"${value}" is not a valid URL: it must start with https:// or http://.`,
  credentials_in_url: (host) =>
    `The URL of ${host} contains a username or password: use the authentication settings instead.`,
  private_address: (value) =>
    `${value} is an address of a private network, which Parley does not call. Whoever runs this server can allow it with OUTBOUND_ALLOW, and an owner of the project under Private networks in its settings.`,
  metadata_address: (value) => `${value} is a cloud metadata address. Parley never calls it.`,
  invalid_method: (value) => `The method "${value}" can't be sent: use GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.`,
  invalid_header: (name) =>
    `The header "${name}" can't be sent: a name has letters, digits and hyphens, a value has one line.`,
  forbidden_header: (name) => `The header "${name}" is set automatically: remove it.`,
  unknown_host: (host) => `No server found at ${host}: check the spelling.`,
  refused: (host) => `${host} refused the connection: check the URL and its port.`,
  unreachable: (host) => `${host} can't be reached from this server: check the URL, or try again later.`,
  tls: (detail) => `The connection is not secure, so nothing was sent: ${detail}.`,
  closed: (host) => `${host} closed the connection early. Try again later.`,
  no_http: (host) => `${host} did not answer with HTTP: check the port and https:// or http://.`,
  bad_encoding: (value) => `The response is encoded as "${value}" and could not be decoded.`,
  too_many_redirects: (url) => `Too many redirects, last to ${url}. Use the final URL.`,
  bad_redirect: (value) => `The response redirects to "${value}", which is not a valid URL.`,
  secret_redirect: (origin) =>
    `The response redirects to ${origin}, another server, so the secrets in the body were not sent. Use the final URL.`,
  too_large: (limit) => `The response is larger than ${limit}.`,
  timeout: (seconds) => `No full response within ${seconds} s. Increase the timeout, or request less.`,
  aborted: () => 'The call was cancelled.',
} as const satisfies Record<string, (value: string) => string>

export type OutboundErrorCode = keyof typeof outboundErrors

/** Thrown by an outbound fetch for every kind of failure. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  constructor(
    readonly code: OutboundErrorCode,
    value = '',
    options?: { cause?: unknown },
  ) {
    super(outboundErrors[code](value.length > 200 ? `${value.slice(0, 200)}…` : value), options)
  }
}
