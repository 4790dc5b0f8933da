import type { ColumnType, Generated } from 'kysely'
import type { Addons } from '../../access/addons'
import type { SecondFactor } from '../../access/sessions'
import type { SurveyAnswers } from '../../contracts/firstSteps'
import type { InterfaceLanguage } from '../../contracts/languages'
import type { ChecklistKey } from '../onboarding/checklist'

/** Rows of accounts, projects and memberships. */
declare module '../../platform/database/tables' {
  interface Database {
    users: UsersTable
    user_pictures: UserPicturesTable
    sessions: SessionsTable
    user_settings: UserSettingsTable
    projects: ProjectsTable
    project_members: ProjectMembersTable
    invitations: InvitationsTable
    password_resets: PasswordResetsTable
    known_devices: KnownDevicesTable
    registrations: RegistrationsTable
    email_changes: EmailChangesTable
    two_factors: TwoFactorsTable
    recovery_codes: RecoveryCodesTable
    begun_logins: BegunLoginsTable
  }
}

export interface UsersTable {
  id: Generated<string>
  gid: string
  /** lower case */
  email: string
  first_name: string
  last_name: string
  password_hash: string
  email_verified: Generated<boolean>
  /** of the interface and of mails; null: not known yet */
  language: ColumnType<InterfaceLanguage | null, InterfaceLanguage | null | undefined, InterfaceLanguage | null>
  /** of `user_pictures`; null: none */
  picture: ColumnType<string | null, string | null | undefined, string | null>
  /** by who runs the installation, and why; null: not */
  suspended_at: Generated<Date | null>
  suspended_why: Generated<string | null>
  created_at: Date
}
/** What people show beside their names. */
export interface UserPicturesTable {
  gid: string
  user_id: string
  /** a JPEG */
  bytes: Buffer
  created_at: Date
}
export interface SessionsTable {
  /** sha256 of the cookie's token */
  token_hash: Buffer
  user_id: string
  /** the browser's own claim */
  user_agent: Generated<string>
  /** the network address that it was used from last, to the hour; empty: from before this was stored */
  address: Generated<string>
  /** to the hour; null: from before this was stored */
  seen_at: Date | null
  /** an operator's: as whom they see the installation, and how long */
  viewing_user_id: Generated<string | null>
  viewing_until: Generated<Date | null>
  /** by what it was opened besides a password; null: by nothing */
  second_factor: Generated<SecondFactor | null>
  /** by which project's identity provider it was opened; null: by none */
  sign_on_project_id: Generated<string | null>
  created_at: Date
  expires_at: Date
}
/** Codes of an app besides the password. */
export interface TwoFactorsTable {
  user_id: string
  sealed_secret: string
  /** null: being set up */
  confirmed_at: Generated<Date | null>
  /** the time step of the last code that was taken */
  last_step: ColumnType<string, number | undefined, number>
  created_at: Date
}
export interface RecoveryCodesTable {
  user_id: string
  code_hash: Buffer
  used_at: Generated<Date | null>
}
/** Log-ins with the right password that wait for the code. */
export interface BegunLoginsTable {
  /** sha256 of the cookie's token */
  token_hash: Buffer
  user_id: string
  password_hash: string
  /** by which project's identity provider it began; null: by the password */
  sign_on_project_id: Generated<string | null>
  tries: Generated<number>
  created_at: Date
  expires_at: Date
}
/** New addresses whose link has not been opened yet. */
export interface EmailChangesTable {
  token_hash: Buffer
  user_id: string
  /** lower case */
  email: string
  created_at: Date
  expires_at: Date
}
export interface UserSettingsTable {
  user_id: string
  onboarding_survey_completed: Generated<boolean>
  onboarding_displayed: Generated<boolean>
  hide_onboarding_checklist: Generated<boolean>
  hide_v2_upgrade_announcement: Generated<boolean>
  hide_builder_tutorial_video_popup: Generated<boolean>
  hide_contact_variables_deprecation_popup: Generated<boolean>
  show_feature_vote_1: Generated<boolean>
  default_chatbot_id: string | null
  /** null: not answered */
  survey: ColumnType<SurveyAnswers | null, string | undefined, string>
  /** null: none */
  feature_vote: ColumnType<string | null, string | undefined, string>
}
export interface ProjectsTable {
  id: Generated<string>
  gid: string
  name: string
  plan_id: Generated<string>
  addons: ColumnType<Addons, string | undefined, string>
  /** AI message credits a month beyond the plan that an owner allows and pays */
  overage_credits: Generated<number>
  /** what a credit costs; null: as credits beyond the plan */
  credit_price: ColumnType<string | null, number | null | undefined, number | null>
  credit_currency: Generated<string | null>
  /** by who runs the installation, and why; null: not */
  suspended_at: Generated<Date | null>
  suspended_why: Generated<string | null>
  /** comma-separated networks, in addition to those of the installation */
  private_networks: Generated<string>
  /** from where members and API keys may open it, with commas; empty: from everywhere */
  allowed_addresses: Generated<string>
  checklist: ColumnType<Partial<Record<ChecklistKey, boolean>>, string | undefined, string>
  /** whether mails are sent when shares of the credits are used up */
  credit_notices: Generated<boolean>
  credit_notice_thresholds: Generated<number[]>
  /** empty: the owners */
  credit_notice_emails: Generated<string[]>
  /** mails about each new contact and conversation; no addresses: the owners */
  new_contact_notices: Generated<boolean>
  new_contact_emails: Generated<string[]>
  new_conversation_notices: Generated<boolean>
  new_conversation_emails: Generated<string[]>
  /** members can open it only with a second factor */
  second_factor_required: Generated<boolean>
  /** the domains whose members open it only by its identity provider; empty: nobody has to */
  sign_on_domains: Generated<string[]>
  /** members are told when a visitor has waited that long for a person */
  waiting_notice_minutes: Generated<number>
  created_at: Date
  updated_at: Date
}
export interface ProjectMembersTable {
  project_id: string
  user_id: string
  roles: number[]
  /** set by themselves: they are given no conversations */
  is_away: Generated<boolean>
  is_default: Generated<boolean>
  /** the project's identity provider has brought them, whatever their address is now */
  by_sign_on: Generated<boolean>
  /** an owner said that they stay within the plan's seats (server/access/overLimit.ts) */
  chosen_to_stay: Generated<boolean>
  created_at: Date
}
/** Open until it is accepted, revoked or past `expires_at`. */
export interface InvitationsTable {
  id: Generated<string>
  gid: string
  project_id: string
  /** lower case */
  email: string
  roles: number[]
  /** sha256 of the token in its link */
  token_hash: Buffer
  invited_by: string | null
  created_at: Date
  expires_at: Date
  accepted_at: Generated<Date | null>
  revoked_at: Generated<Date | null>
}
export interface PasswordResetsTable {
  /** sha256 of the token in its link */
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Generated<Date | null>
}
export interface KnownDevicesTable {
  /** sha256 of the cookie's token */
  token_hash: Buffer
  user_id: string
  used_at: Date
}
/** Addresses that were sent a registration link. */
export interface RegistrationsTable {
  /** sha256 of the token in its link */
  token_hash: Buffer
  /** lower case */
  email: string
  created_at: Date
  expires_at: Date
}
