import type { ColumnType, Generated } from 'kysely'
import type { LeadSource, LeadStatus } from '../../contracts/leads'
import type { AgentMeasure } from './agents/agentMeasures'
import type { Measure } from './facts/measures'

declare module '../../platform/database/tables' {
  interface Database {
    insight_pending: InsightPendingTable
    conversation_facts: ConversationFactsTable
    insight_rows: InsightRowsTable
    insight_courses: InsightCoursesTable
    insight_days: InsightDaysTable
    insight_changes: DayTable
    insight_rolled: DayTable
    insight_visitors: InsightVisitorsTable
    insight_names: InsightNamesTable
    insight_credits: InsightCreditsTable
    asked_questions: AskedQuestionsTable
    asked_wordings: AskedWordingsTable
    flow_results: FlowResultsTable
    leads: LeadsTable
    agent_acts: AgentActsTable
    agent_facts: AgentFactsTable
    agent_rows: AgentRowsTable
    agent_days: AgentDaysTable
    agent_hours: AgentHoursTable
    weekly_mails: WeeklyMailsTable
    weekly_mail_guests: WeeklyMailGuestsTable
  }
}

/** Conversations to be counted again. */
export interface InsightPendingTable {
  conversation_id: string
  project_id: string
}

interface Dimensions {
  project_id: string
  chatbot_id: string
  environment: 'production' | 'sharing'
  channel: string
  /** '' is unknown */
  language: string
  quarter: Date
}
type Counted = Record<Exclude<Measure, 'answer_seconds'>, number> & {
  /** bigint: the driver returns text */
  answer_seconds: ColumnType<string, number, number>
}

/** What a conversation adds to the figures. */
export interface ConversationFactsTable extends Dimensions, Counted {
  conversation_id: string
  visitor: Buffer | null
  /** '' is unknown */
  page: string
  started_at: Date
}
/** Sums of the facts by quarter of an hour. */
export interface InsightRowsTable extends Dimensions, Counted {}
/** Sums of the facts by day of UTC. */
export interface InsightDaysTable extends Omit<Dimensions, 'quarter'>, Counted {
  day: Date
}

/** Days of a project that are rolled up, or have changed since. */
export interface DayTable {
  project_id: string
  /** its beginning in UTC */
  day: Date
}
interface Filtered extends DayTable {
  chatbot_id: string
  /** '' is any */
  environment: '' | 'production' | 'sharing'
  /** '' is any */
  channel: string
}
/** How many conversations of a day are of visitors who were last there on another. */
export interface InsightVisitorsTable extends Filtered {
  last_day: Date
  conversations: number
}
/** How often a page or a source was named in a day. */
export interface InsightNamesTable extends Filtered {
  list: 'page' | 'source'
  name: string
  times: number
}
/** What began in each quarter of a day: written by triggers. `chatbot_id` 0 is the whole project. */
export interface InsightCoursesTable extends Filtered {
  conversations: number[]
  messages: number[]
  resolved: number[]
}
/** AI message credits of a day. */
export interface InsightCreditsTable extends DayTable {
  /** 0: of none, or of one that was deleted */
  chatbot_id: string
  amount: string
}

export interface AskedQuestionsTable {
  conversation_id: string
  project_id: string
  chatbot_id: string
  environment: 'production' | 'sharing'
  channel: string
  /** when its conversation began */
  started_at: Date
  position: number
  question: string
  /** the same for questions that differ in case, punctuation and spaces alone */
  wording: string
  /** stands for the wording */
  wording_hash: Generated<string>
  answered: boolean
  /** what was said under "this may help"; null: nothing was, or it was certain */
  said: string | null
  sources: string[]
  asked_at: Date
}

/** How often a wording was asked at any time: written by triggers. */
export interface AskedWordingsTable {
  project_id: string
  /** 0: the whole project */
  chatbot_id: string
  wording_hash: string
  asked: number
  unanswered: number
}

/** An answer of a visitor to a question of a flow. */
export interface FlowAnswer {
  /** of the variable */
  id: string
  name: string
  value: string
}
export interface FlowResultsTable {
  conversation_id: string
  gid: string
  project_id: string
  chatbot_id: string
  environment: 'production' | 'sharing'
  answers: ColumnType<FlowAnswer[], string, string>
  /** the flow came to its end */
  completed: boolean
  started_at: Date
}
export interface LeadsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  /** null: it was deleted */
  conversation_id: string | null
  environment: 'production' | 'sharing'
  channel: Generated<string>
  source: LeadSource
  name: string
  email: string
  phone: string
  answers: ColumnType<FlowAnswer[], string, string>
  status: Generated<LeadStatus>
  owner_id: Generated<string | null>
  /** taken out by a person: emptied, and not filled again */
  deleted: Generated<boolean>
  created_at: Date
  updated_at: Date
}

/** Who was given a conversation, and who closed it. */
export interface AgentActsTable {
  event_id: string
  conversation_id: string
  project_id: string
  user_id: string
  kind: 'taken' | 'closed'
  at: Date
}
/** What members did, by quarters of an hour. */
export interface AgentRowsTable extends Omit<Dimensions, 'language'>, Record<AgentMeasure, number> {
  user_id: string
}
/** The same by days of UTC. */
export interface AgentDaysTable extends Omit<AgentRowsTable, 'quarter'> {
  day: Date
}
/** What members sent in a month of UTC, by the quarter of the day. */
export interface AgentHoursTable extends Omit<Filtered, 'day'> {
  month: Date
  user_id: string
  /** 0 to 95, in UTC */
  slot: number
  sent: number
}
/** What of it was done in one conversation. */
export interface AgentFactsTable extends AgentRowsTable {
  conversation_id: string
}

/** Who gets the figures of each week by mail, of what, and when. */
export interface WeeklyMailsTable {
  id: Generated<string>
  gid: string
  project_id: string
  user_id: string
  /** null: of all chatbots of the project */
  chatbot_id: string | null
  enabled: boolean
  /** 1 is Monday */
  weekday: number
  hour: number
  zone: string
  next_at: Date
  /** a process is at it until then */
  claimed_until: Generated<Date | null>
  created_at: Date
}
/** People without an account who get a member's weekly mail too, once they have confirmed. */
export interface WeeklyMailGuestsTable {
  id: Generated<string>
  gid: string
  project_id: string
  weekly_mail_id: string
  email: string
  sealed_key: string
  confirm_hash: Buffer
  end_hash: Buffer
  confirm_until: Date
  confirmed_at: Generated<Date | null>
  created_at: Date
}
