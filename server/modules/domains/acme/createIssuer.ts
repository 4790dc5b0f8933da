import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { ServerContext } from '../../../platform/context'
import { createSecrets } from '../../../platform/secrets/secrets'
import { AcmeClient } from './acmeClient'
import { type Issued, issue } from './issue'
import { type Renewal, renewalOf } from './renewal'
import { newKeyPair } from './requests'

interface Certified {
  id: string
  project_id: string
  hostname: string
  certificate: string | null
  renew_at: Date | null
}

/** A source of certificates. */
export interface Issuer {
  /** @throws AcmeProblem with the authority's message */
  issue(domain: Certified, signal: AbortSignal): Promise<Issued>
  /** When to renew a domain's certificate. @throws AcmeProblem if the authority can't be reached */
  renewal(domain: Certified & { certificate: string }, signal: AbortSignal): Promise<Renewal>
}

type Parts = Pick<ServerContext, 'db' | 'config' | 'clock'>

/** Orders certificates by ACME (RFC 8555) with the installation's account, which the first order creates. */
export function createIssuer({ db, config, clock }: Parts): Issuer {
  const { acme, reach } = config.domains
  const secrets = createSecrets(config)
  const place = { projectId: '', row: `acme_accounts/${acme.directory}` }

  /** If the stored key can't be decrypted, creates a new account: accounts hold no data. */
  async function accountKey(): Promise<KeyObject> {
    const accounts = db.selectFrom('acme_accounts').where('directory', '=', acme.directory)
    const row = await accounts.select('sealed_key').executeTakeFirst()
    const known = row && secrets.open(row.sealed_key, place)
    if (known) return createPrivateKey(known)
    const key = newKeyPair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const values = { directory: acme.directory, sealed_key: secrets.seal(key, place), created_at: clock() }
    const taken = await db
      .insertInto('acme_accounts')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column('directory')
          .doUpdateSet(values)
          .where('acme_accounts.sealed_key', '=', row?.sealed_key ?? ''),
      )
      .returning('sealed_key')
      .executeTakeFirst()
    // another process has just created it
    return taken ? createPrivateKey(key) : accountKey()
  }

  async function using<Result>(signal: AbortSignal, work: (client: AcmeClient) => Promise<Result>): Promise<Result> {
    const client = new AcmeClient({ directory: acme.directory, key: await accountKey(), clock, signal, ca: reach?.ca })
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }

  return {
    issue: ({ id, project_id, hostname, certificate }, signal) =>
      using(signal, async (client) => {
        const challenges = db.forProject(project_id)
        await client.openAccount(acme.email, acme.eab)
        try {
          return await issue(client, {
            hostname,
            challenge: acme.challenge,
            replaces: certificate,
            clock,
            signal,
            async publish(token, keyAuthorization) {
              const values = { domain_id: id, project_id, hostname, created_at: clock() }
              await challenges
                .insertInto('acme_challenges')
                .values({ ...values, token, key_authorization: keyAuthorization })
                .onConflict((conflict) => conflict.column('token').doNothing())
                .execute()
            },
          })
        } finally {
          await challenges.deleteFrom('acme_challenges').where('domain_id', '=', id).execute()
        }
      }),

    renewal: ({ certificate, renew_at }, signal) =>
      using(signal, (client) => renewalOf(client, certificate, { now: clock(), chosen: renew_at })),
  }
}
