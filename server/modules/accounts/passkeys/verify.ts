import type { AuthenticatorTransport } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MadePasskey, SignedByPasskey } from '../../../contracts/passkeys'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { CHALLENGE_MS, createChallenges } from './challenges'

/** EdDSA, ES256 and RS256 by their numbers at COSE: between them, each device of today. */
const ALGORITHMS = [-8, -7, -257]
/** The least that the library takes for lower than any count: counts are compared after the signature. */
const BEFORE_ALL_COUNTS = -1

/** Large, and read at the first passkey: a start does not wait for it. */
const webAuthn = () => import('@simplewebauthn/server')

/** A call, and its answer: both have the browser's cookie. */
export interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}
/** Of whom a device is asked to make a key. */
interface Person {
  id: string
  gid: string
  email: string
  first_name: string
  last_name: string
}

/**
 * What is asked of devices, and whether their answers are right: from a page of this installation's address, for its
 * host, to the challenge that it gave, by a device that has verified the person.
 */
export function createVerify(context: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const { config } = context
  const challenges = createChallenges(context)
  // read at each call: without PUBLIC_URL it is known when the server listens
  const site = () => {
    const { origin, hostname } = new URL(config.publicUrl)
    return { origin, rpID: hostname }
  }
  /**
   * What an answer has to be to. Its challenge is taken first, whatever comes of it.
   * @throws ApiError conflict
   */
  async function expected(request: FastifyRequest, clientData: string, purpose: string | null) {
    const expectedChallenge = challengeIn(clientData)
    if (!(await challenges.take(request, expectedChallenge, purpose)))
      throw new ApiError('conflict', { message: 'This took too long. Begin again.' })
    const { origin: expectedOrigin, rpID: expectedRPID } = site()
    return { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true }
  }

  return {
    /** @param known passkeys that the account has, which no device makes twice */
    async askToMake(exchange: Exchange, person: Person, known: readonly { id: string; transports: string[] }[]) {
      const { generateRegistrationOptions } = await webAuthn()
      const options = await generateRegistrationOptions({
        ...{ rpName: 'Parley', rpID: site().rpID, timeout: CHALLENGE_MS, attestationType: 'none' },
        ...{ userName: person.email, userDisplayName: `${person.first_name} ${person.last_name}`.trim() },
        // stays on the device, and says nothing of the person
        userID: new Uint8Array(Buffer.from(person.gid)),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        ...{ supportedAlgorithmIDs: ALGORITHMS, excludeCredentials: [...known] },
      })
      await challenges.keep(exchange, options.challenge, person.id)
      return { options: { ...options } }
    },

    async askToSign(exchange: Exchange) {
      const { generateAuthenticationOptions } = await webAuthn()
      const options = await generateAuthenticationOptions({
        ...{ rpID: site().rpID, timeout: CHALLENGE_MS, userVerification: 'required' },
      })
      await challenges.keep(exchange, options.challenge, null)
      return { options: { ...options } }
    },

    /**
     * @returns the new key; null if the answer is wrong
     * @throws ApiError conflict if its challenge is not one for this person, in this browser, now
     */
    async made(request: FastifyRequest, userId: string, { credential, transports, ...response }: MadePasskey) {
      const wanted = await expected(request, response.clientDataJSON, userId)
      if (await bringsCertificates(response.attestationObject)) return null
      const { verifyRegistrationResponse } = await webAuthn()
      const checked = await wrongIsNull(
        verifyRegistrationResponse({
          ...wanted,
          response: {
            ...formOf(credential),
            response: { ...response, transports: transports as AuthenticatorTransport[] },
          },
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      )
      if (!checked?.verified) return null
      const { id, publicKey, counter } = checked.registrationInfo.credential
      return { id, publicKey: Buffer.from(publicKey), counter, transports }
    },

    /**
     * @returns how often the device says that it has signed; null if the answer is wrong
     * @throws ApiError conflict if its challenge is not one for a log-in in this browser, now
     */
    async signed(
      request: FastifyRequest,
      { credential, ...response }: SignedByPasskey,
      publicKey: Buffer,
    ): Promise<number | null> {
      const wanted = await expected(request, response.clientDataJSON, null)
      const { verifyAuthenticationResponse } = await webAuthn()
      const checked = await wrongIsNull(
        verifyAuthenticationResponse({
          ...wanted,
          response: { ...formOf(credential), response },
          credential: { id: credential, publicKey: new Uint8Array(publicKey), counter: BEFORE_ALL_COUNTS },
        }),
      )
      return checked?.verified ? checked.authenticationInfo.newCounter : null
    },
  }
}
export type Verify = ReturnType<typeof createVerify>

/** The parts of WebAuthn's JSON that are always the same. */
const formOf = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const

/** The library throws its own errors for all that is wrong in an answer; which it was, callers are not told. */
const wrongIsNull = <Checked>(check: Promise<Checked>): Promise<Checked | null> => check.catch(() => null)

/**
 * Whether an answer says by certificates what make the device is of, which was not asked: to check them, the library
 * would call addresses that stand in them.
 */
export async function bringsCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const said = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = said.get('fmt')
    return format !== 'none' && !(format === 'packed' && said.get('attStmt').get('x5c') === undefined)
  } catch {
    // what can't be read is refused as such
    return false
  }
}

/** The challenge that an answer says it is to; empty: it says none. */
function challengeIn(clientData: string): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    const isSaid = typeof said === 'object' && said !== null && 'challenge' in said
    return isSaid && typeof said.challenge === 'string' ? said.challenge : ''
  } catch {
    return ''
  }
}
