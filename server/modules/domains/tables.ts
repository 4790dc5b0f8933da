import type { Generated } from 'kysely'
import type { DomainProblem, DomainStatus } from '../../contracts/domains'

/** Rows of chatbots' custom domains, and of certificate authorities' challenges. */
declare module '../../platform/database/tables' {
  interface Database {
    custom_domains: CustomDomainsTable
    acme_challenges: AcmeChallengesTable
    acme_accounts: AcmeAccountsTable
  }
}

export interface CustomDomainsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  /** in lower case and ASCII form; unique in the whole installation */
  hostname: string
  apex: boolean
  status: DomainStatus
  /** the value of the TXT record */
  challenge: string
  /** the token requested from the host over HTTP */
  token: string
  owned: Generated<boolean>
  /** null: ownership is not proven */
  proven_at: Date | null
  secure: Generated<boolean>
  problem: DomainProblem | null
  detail: string | null
  attempts: Generated<number>
  failing_since: Date | null
  checked_at: Date | null
  requested_at: Date | null
  busy_until: Date | null
  certificate: string | null
  sealed_key: string | null
  certified_at: Date | null
  expires_at: Date | null
  renew_at: Date | null
  /** an owner said that it stays within the plan's limit (server/access/overLimit.ts) */
  chosen_to_stay: Generated<boolean>
  created_at: Date
}

export interface AcmeChallengesTable {
  token: string
  project_id: string
  domain_id: string
  hostname: string
  key_authorization: string
  created_at: Date
}

export interface AcmeAccountsTable {
  directory: string
  sealed_key: string
  created_at: Date
}
