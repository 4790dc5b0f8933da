import { createHash } from 'node:crypto'
import type { SeededRandom } from '../seededRandom'

/** An application that a vendor knows. */
export interface Client {
  id: string
  secret: string
  /** absent: any address of this machine */
  redirectUris?: readonly string[]
}

/** A person who has an account at the vendor. */
export interface Person {
  id: string
  name: string
  email: string
}

/** What a person has allowed an application, or an application has by itself. */
export interface Grant {
  person: Person
  clientId: string
  scopes: readonly string[]
  /** the only tokens that live; null: none */
  accessToken: string | null
  refreshToken: string | null
  /** null: never */
  accessUntil: number | null
  /** null: never; counted from the last refresh */
  refreshUntil: number | null
  revoked: boolean
}

/** How long the tokens of one answer live, where the application may say so; otherwise as the rules say. */
export interface Lifetimes {
  accessSeconds?: number
  refreshSeconds?: number
}

interface Code {
  person: Person
  clientId: string
  scopes: readonly string[]
  redirectUri: string
  challenge: string | null
  isOffline: boolean
  until: number
  usedBy: Grant | null
}

/** What differs from vendor to vendor in tokens. */
export interface TokenRules {
  /** seconds that an access token lives; null: for ever */
  accessSeconds: number | null
  codeSeconds: number
  /** absent: refresh tokens live for ever */
  refreshSeconds?: number
  /** whether a refresh gives a new refresh token, and the one before dies */
  rotates: boolean
  /** whether other access tokens of the grant die with a refresh */
  endsOldAccess: boolean
  accessToken: (random: SeededRandom) => string
  refreshToken: (random: SeededRandom) => string
}

/** What a vendor knows of consents and tokens. */
export class Grants {
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, { grant: Grant; until: number | null }>()
  readonly #refresh = new Map<string, Grant>()
  readonly all: Grant[] = []

  constructor(
    readonly rules: TokenRules,
    private readonly clock: () => Date,
    private readonly random: SeededRandom,
  ) {}

  code(consent: Omit<Code, 'until' | 'usedBy'>): string {
    const code = this.random.text(40)
    this.#codes.set(code, { ...consent, until: this.#now() + this.rules.codeSeconds * 1_000, usedBy: null })
    return code
  }

  /** @returns the grant, or why a code is not taken; a code that is used twice ends what it gave */
  redeem(
    code: string,
    clientId: string,
    redirectUri: string,
    verifier: string | undefined,
    lifetimes: Lifetimes = {},
  ): Grant | Refused {
    const found = this.#codes.get(code)
    if (!found || found.clientId !== clientId) return { refused: 'unknown' }
    if (found.usedBy) {
      this.revoke(found.usedBy)
      return { refused: 'used' }
    }
    if (found.until <= this.#now()) return { refused: 'expired' }
    if (found.redirectUri !== redirectUri) return { refused: 'redirectUri' }
    if (found.challenge !== null && verifier === undefined) return { refused: 'noVerifier' }
    if (found.challenge !== null && challengeOf(verifier ?? '') !== found.challenge) return { refused: 'verifier' }
    const grant = this.issue(found.person, clientId, found.scopes, found.isOffline, lifetimes)
    found.usedBy = grant
    return grant
  }

  /** Gives tokens without a page: for tests, for keys made by hand, and for applications' own. */
  issue(
    person: Person,
    clientId: string,
    scopes: readonly string[],
    isOffline = true,
    lifetimes: Lifetimes = {},
  ): Grant {
    const grant: Grant = {
      person,
      clientId,
      scopes,
      accessToken: null,
      refreshToken: null,
      accessUntil: null,
      refreshUntil: null,
      revoked: false,
    }
    this.all.push(grant)
    this.#giveAccess(grant, lifetimes)
    if (isOffline) this.#giveRefresh(grant, lifetimes)
    return grant
  }

  /** @returns the grant with new tokens; null if the refresh token is not alive, or another application's */
  refresh(token: string, clientId: string, keepsOld = false, lifetimes: Lifetimes = {}): Grant | null {
    const grant = this.#refresh.get(token)
    if (!grant || grant.revoked || grant.clientId !== clientId) return null
    if (grant.refreshUntil !== null && grant.refreshUntil <= this.#now()) return null
    // an older token that was let live: what came after it dies
    const isOlder = grant.refreshToken !== token
    if (this.rules.endsOldAccess || isOlder) this.#endAccess(grant)
    this.#giveAccess(grant, lifetimes)
    if (this.rules.rotates) {
      if (!keepsOld) this.#refresh.delete(token)
      if (isOlder && grant.refreshToken !== null) this.#refresh.delete(grant.refreshToken)
      this.#giveRefresh(grant, lifetimes)
    }
    return grant
  }

  /** @returns whose access token it is; null if it is not alive */
  grantOf(accessToken: string | undefined): Grant | null {
    const found = accessToken === undefined ? undefined : this.#access.get(accessToken)
    if (!found || found.grant.revoked) return null
    return found.until !== null && found.until <= this.#now() ? null : found.grant
  }

  /** @returns the grant that has this token, of either kind, alive or not */
  holderOf(token: string): Grant | null {
    return this.#access.get(token)?.grant ?? this.#refresh.get(token) ?? null
  }

  revoke(grant: Grant): void {
    grant.revoked = true
    grant.accessToken = null
    grant.refreshToken = null
  }

  #now = () => this.clock().getTime()

  #giveAccess(grant: Grant, lifetimes: Lifetimes): void {
    const accessSeconds = lifetimes.accessSeconds ?? this.rules.accessSeconds
    const token = this.rules.accessToken(this.random)
    grant.accessToken = token
    grant.accessUntil = accessSeconds === null ? null : this.#now() + accessSeconds * 1_000
    this.#access.set(token, { grant, until: grant.accessUntil })
  }

  #giveRefresh(grant: Grant, lifetimes: Lifetimes): void {
    const seconds = lifetimes.refreshSeconds ?? this.rules.refreshSeconds
    grant.refreshUntil = seconds === undefined ? null : this.#now() + seconds * 1_000
    grant.refreshToken = this.rules.refreshToken(this.random)
    this.#refresh.set(grant.refreshToken, grant)
  }

  #endAccess(grant: Grant): void {
    for (const [token, held] of this.#access) if (held.grant === grant) this.#access.delete(token)
  }
}

export interface Refused {
  refused: 'unknown' | 'used' | 'expired' | 'redirectUri' | 'noVerifier' | 'verifier'
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
