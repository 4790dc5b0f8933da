import type { ColumnType, Generated } from 'kysely'
import type { Joining, RoleOfGroup } from '../../contracts/signOn'

/** Rows of projects' identity providers, and of people on their way there. */
declare module '../../platform/database/tables' {
  interface Database {
    sign_on_connections: SignOnConnectionsTable
    sign_on_domains: SignOnDomainsTable
    sign_on_people: SignOnPeopleTable
    sign_on_attempts: SignOnAttemptsTable
    scim_tokens: ScimTokensTable
    scim_groups: ScimGroupsTable
    scim_group_members: ScimGroupMembersTable
  }
}

export interface SignOnConnectionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  issuer: string
  client_id: string
  sealed_secret: string
  default_role: number
  /** the claim with a person's groups; empty: roles are not mapped */
  role_claim: Generated<string>
  role_map: ColumnType<RoleOfGroup[], string | undefined, string>
  required: Generated<boolean>
  /** what becomes of people who make an account with an address at its domains */
  joining: Generated<Joining>
  created_at: Date
  updated_at: Date
}
export interface SignOnDomainsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** in lower case and ASCII form; of one project once it is proven */
  domain: string
  /** the value of the TXT record */
  challenge: string
  proven_at: Generated<Date | null>
  checked_at: Generated<Date | null>
  /** since when a proven domain has lacked its record */
  missing_since: Generated<Date | null>
  created_at: Date
}
export interface SignOnPeopleTable {
  id: Generated<string>
  gid: string
  project_id: string
  user_id: string
  /** the provider's own id of the person; null: not signed on yet */
  subject: Generated<string | null>
  /** what the directory says of the person */
  user_name: Generated<string | null>
  external_id: Generated<string | null>
  given_name: Generated<string>
  family_name: Generated<string>
  /** false: no member, and can't sign on */
  active: Generated<boolean>
  /** when the directory told of them first; null: they came by the provider alone */
  provisioned_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
}
export interface ScimTokensTable {
  project_id: string
  /** sha256 */
  token_hash: Buffer
  preview: string
  created_at: Date
  /** to the minute */
  last_used_at: Generated<Date | null>
}
export interface ScimGroupsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** of one group of the project, in whatever case */
  display_name: string
  /** the directory's own id of the group */
  external_id: string | null
  created_at: Date
  updated_at: Date
}
export interface ScimGroupMembersTable {
  group_id: string
  person_id: string
  project_id: string
}
export interface SignOnAttemptsTable {
  state_hash: Buffer
  project_id: string
  browser_hash: Buffer
  sealed_secrets: string
  return_to: string
  created_at: Date
  expires_at: Date
}
