import { createContext, useContext, useMemo, useRef } from 'react'
import type { crmEffect } from '../../engine/effects/crm'
import type { RequestOf } from '../../engine/effects/defineEffect'
import type { HttpAnswer, HttpCall } from '../../engine/effects/http'
import type { sheetsEffect } from '../../engine/effects/sheets'
import type { ticketEffect } from '../../engine/effects/ticket'
import type { Json } from '../../engine/values/json'
import type { Medium } from '../../engine/values/mediaFile'
import { secretLabel, secretNameOf } from '../../engine/values/secrets'
import { findSystemVariable, systemVariables } from '../../engine/values/systemVariables'
import type { ChannelTemplate } from '../../server/contracts/channelTemplates'
import type {
  ChoiceQuery,
  Choices,
  CrmTest,
  SheetTest,
  TicketTest,
  VendorConnection,
} from '../../server/contracts/integrations'
import type { Hooks } from './hooks'

/**
 * What texts and forms know about the surrounding flow. The builder provides one value, and replaces it when something
 * changes.
 */
export interface FlowScope {
  variables: readonly { readonly id: string; readonly name: string; readonly value?: Json }[]
  /** targets of go-to, in display order */
  groups: readonly { readonly id: string; readonly title: string }[]
  /** intents that a question can listen for: the flow's intent triggers */
  intents: readonly { readonly blockId: string; readonly name: string }[]
  /** the chatbot's other flows, which go-to can enter */
  flows: readonly FlowChoice[]
  /** false: mails of a flow stay in the outbox; null: unknown */
  mailServer: boolean | null
  /** whether the chatbot has data sources; null: unknown */
  sources: boolean | null
  /** related settings screens; null without permission */
  screens: { readonly knowledge: string | null; readonly ai: string | null; readonly networks: string | null }
  /** the model of AI blocks; false: none; null: unknown */
  aiModel: string | false | null
  /** available models for answers, and the chatbot's choice; null: unknown */
  aiModels: { readonly chosen: string; readonly all: readonly { readonly id: number; readonly name: string }[] } | null
  /** creates a variable with a name that passed `checkVariableName`, and returns its id; null if read-only */
  createVariable: ((name: string) => string) | null
  /**
   * uploads a file of the medium and returns its address; null without permission. Rejects with an Error whose message
   * is a sentence to show, or with the signal's reason
   */
  uploadFile: ((file: File, medium: Medium, options: UploadOptions) => Promise<string>) | null
  /** the project's secrets, for fields that can contain one; null: unknown */
  secrets: {
    readonly names: readonly string[]
    /** null without permission */
    readonly create: CreateSecret | null
  } | null
  /**
   * sends a request once, from the server; null without permission. Rejects with an Error whose message is a sentence
   * to show
   */
  sendTestRequest: ((request: HttpCall, signal: AbortSignal) => Promise<HttpAnswer>) | null
  /** the project's accounts at vendors; null: unknown, or without permission */
  connections: {
    readonly all: readonly VendorConnection[]
    /** where they are made */
    readonly screen: string
    /** what a vendor offers to choose from. Rejects as `sendTestRequest`; null if read-only */
    readonly choices: ((connection: string, asked: ChoiceQuery, signal: AbortSignal) => Promise<Choices>) | null
    /** makes the call of a spreadsheet's block once, likewise */
    readonly trySheet: ((request: RequestOf<typeof sheetsEffect>, signal: AbortSignal) => Promise<SheetTest>) | null
    /** likewise of a CRM's block */
    readonly tryCrm: ((request: RequestOf<typeof crmEffect>, signal: AbortSignal) => Promise<CrmTest>) | null
    /** likewise of a help desk's block */
    readonly tryTicket: ((request: RequestOf<typeof ticketEffect>, signal: AbortSignal) => Promise<TicketTest>) | null
  } | null
  /** the templates of the chatbot's number at WhatsApp; null without permission */
  templates: {
    /**
     * those that are known, or as WhatsApp has them now; null if the chatbot has no number. Rejects as
     * `sendTestRequest`
     */
    readonly load: (fresh: boolean, signal: AbortSignal) => Promise<ChannelTemplate[] | null>
    /** where a number is connected, and templates are written */
    readonly screen: string
  } | null
  /** the addresses of triggers that other programs call; null without permission */
  hooks: Hooks | null
}

/**
 * Saves a value under a name, or under a free name similar to `like`, and returns the name. Rejects with an Error whose
 * message is a sentence to show.
 */
export type CreateSecret = (secret: { name?: string; like?: string; value: string }) => Promise<string>

/** Another flow of the chatbot, by the id that blocks enter it by. */
export interface FlowChoice {
  readonly id: string
  readonly title: string
  readonly variables: readonly { readonly id: string; readonly name: string }[]
  readonly groups: readonly { readonly id: string; readonly title: string }[]
}

export interface UploadOptions {
  /** called with the progress, from 0 to 1 */
  onProgress: (part: number) => void
  signal: AbortSignal
}

const FlowScopeContext = createContext<FlowScope>({
  variables: [],
  groups: [],
  intents: [],
  flows: [],
  mailServer: null,
  sources: null,
  screens: { knowledge: null, ai: null, networks: null },
  aiModel: null,
  aiModels: null,
  createVariable: null,
  uploadFile: null,
  secrets: null,
  sendTestRequest: null,
  connections: null,
  templates: null,
  hooks: null,
})

export const FlowScopeProvider = FlowScopeContext.Provider

export const useFlowScope = (): FlowScope => useContext(FlowScopeContext)

/** A chip's name: a variable's, a system variable's, or a secret's; undefined for a deleted variable. */
export function nameOfVariable(
  id: string,
  variables: readonly { readonly id: string; readonly name: string }[],
): string | undefined {
  const secret = secretNameOf(id)
  if (secret !== null) return secretLabel(secret)
  return (variables.find((variable) => variable.id === id) ?? findSystemVariable(id))?.name
}

export interface VariableLookup {
  /** undefined for a deleted variable */
  nameOf: (id: string) => string | undefined
  idOf: (name: string) => string | undefined
}

/** Looks up variables; a stable object that always uses the latest list (an open editor may outlive it). */
export function useVariableLookup(): VariableLookup {
  const latest = useRef<FlowScope['variables']>([])
  latest.current = useFlowScope().variables
  return useMemo(
    () => ({
      nameOf: (id) => nameOfVariable(id, latest.current),
      // if names collide, the flow's own variable wins
      idOf: (name) => [...latest.current, ...systemVariables].find((variable) => variable.name === name)?.id,
    }),
    [],
  )
}
