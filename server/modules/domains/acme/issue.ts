import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { AcmeAnswer, AcmeClient } from './acmeClient'
import { problemOf } from './acmeClient'
import { AcmeProblem } from './acmeProblem'
import { renewalId } from './renewal'
import { certificateRequest, newKeyPair } from './requests'

const orderSchema = z.object({
  status: z.string(),
  authorizations: z.array(z.string()).max(10),
  finalize: z.string(),
  certificate: z.string().optional(),
  error: z.unknown().optional(),
})
const authorizationSchema = z.object({
  status: z.string(),
  challenges: z
    .array(
      z.object({ type: z.string(), url: z.string(), token: z.string().default(''), error: z.unknown().optional() }),
    )
    .max(20),
})

export type ChallengeType = 'http-01' | 'tls-alpn-01'

export interface IssueOptions {
  hostname: string
  challenge: ChallengeType
  /** the certificate that this one replaces, in PEM */
  replaces: string | null
  /** Makes the challenge's response available at the host, before the authority requests it. */
  publish(token: string, keyAuthorization: string): Promise<void>
  clock: () => Date
  signal: AbortSignal
}

export interface Issued {
  /** PEM, with the chain */
  certificate: string
  /** PEM */
  key: string
}

/** How long an authority may take to validate the host, and to sign. */
const PATIENCE = 120_000
const FIRST_LOOK = 250
const LONGEST_LOOK = 5_000

/**
 * Orders a certificate for one host (RFC 8555, 7.4).
 * @throws AcmeProblem with the authority's message
 */
export async function issue(client: AcmeClient, options: IssueOptions): Promise<Issued> {
  const { newOrder, renewalInfo } = await client.directory()
  const replaced = renewalInfo && options.replaces ? renewalId(options.replaces) : null
  const identifiers = [{ type: 'dns', value: options.hostname }]
  const made = await client.post(newOrder, { identifiers, ...(replaced && { replaces: replaced }) })
  const order = orderSchema.parse(made.body)
  for (const url of order.authorizations) await authorize(client, url, options)

  const keys = newKeyPair()
  const csr = certificateRequest(options.hostname, keys).toString('base64url')
  await client.post(order.finalize, { csr })
  const { certificate } = await until(client, made.location, options, (answer) => {
    const now = orderSchema.parse(answer.body)
    if (now.status === 'invalid') throw problemOf({ ...answer, body: now.error })
    return now.status === 'valid' ? now : null
  })
  if (!certificate) throw new AcmeProblem('', 'The certificate authority gave no certificate.')
  const { text } = await client.post(certificate, null)
  return { certificate: text, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

async function authorize(client: AcmeClient, url: string, options: IssueOptions): Promise<void> {
  const { status, challenges } = authorizationSchema.parse((await client.post(url, null)).body)
  if (status === 'valid') return
  const challenge = challenges.find(({ type }) => type === options.challenge)
  if (!challenge) throw new AcmeProblem('', `The certificate authority offers no ${options.challenge}.`)
  await options.publish(challenge.token, client.keyAuthorization(challenge.token))
  await client.post(challenge.url, {})
  await until(client, url, options, (answer) => {
    const now = authorizationSchema.parse(answer.body)
    if (now.status === 'valid') return true
    if (now.status === 'pending') return null
    const failed = now.challenges.find(({ error }) => error !== undefined)
    throw problemOf({ ...answer, body: failed?.error })
  })
}

/** Polls until there is a result, or the time is up. */
async function until<Found>(
  client: AcmeClient,
  url: string,
  { clock, signal }: Pick<IssueOptions, 'clock' | 'signal'>,
  find: (answer: AcmeAnswer) => Found | null,
): Promise<Found> {
  const began = performance.now()
  for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 2, LONGEST_LOOK)) {
    const answer = await client.post(url, null)
    const found = find(answer)
    if (found !== null) return found
    if (performance.now() - began > PATIENCE) throw new AcmeProblem('', 'The certificate authority took too long.')
    const asked = answer.retryAfter ? answer.retryAfter.getTime() - clock().getTime() : 0
    await wait(Math.min(Math.max(pause, asked), LONGEST_LOOK), undefined, { signal })
  }
}
