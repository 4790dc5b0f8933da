import { createContext, useContext, useMemo, useRef } from 'react'
import type { HttpAnswer, HttpCall } from '../../engine/effects/http'
import type { Json } from '../../engine/values/json'
import type { Medium } from '../../engine/values/mediaFile'
import { secretLabel, secretNameOf } from '../../engine/values/secrets'
import { findSystemVariable, systemVariables } from '../../engine/values/systemVariables'

/** What texts and forms know of the flow around them. The builder provides one value and renews it when one of these changes. */
export interface FlowScope {
  variables: readonly { readonly id: string; readonly name: string; readonly value?: Json }[]
  /** what go-to can aim at, in the order they are offered */
  groups: readonly { readonly id: string; readonly title: string }[]
  /** what a question can listen for: the intent triggers of the flow */
  intents: readonly { readonly blockId: string; readonly name: string }[]
  /** the chatbot's other flows: what go-to can enter and come back from */
  flows: readonly FlowChoice[]
  /** false: mails that a flow sends land in the outbox; null where that is not known */
  mailServer: boolean | null
  /** whether the chatbot has data sources to answer from; null where that is not known */
  sources: boolean | null
  /** the screens that blocks get what they need from; null for who may not go there */
  screens: { readonly knowledge: string | null; readonly ai: string | null; readonly networks: string | null }
  /** the model that AI blocks ask where they need one; false: none is set up; null where that is not known */
  aiModel: string | false | null
  /** what answers may be written by, the chatbot's own choice among them; null where that is not known */
  aiModels: { readonly chosen: string; readonly all: readonly { readonly id: number; readonly name: string }[] } | null
  /** adds a variable whose name passed `checkVariableName`, and gives its id; null where one may not (read-only) */
  createVariable: ((name: string) => string) | null
  /**
   * takes a file in, where its bytes are of the medium, and gives its address; null where one may not. Rejects with an Error whose message is a sentence to show, or with
   * the signal's reason
   */
  uploadFile: ((file: File, medium: Medium, options: UploadOptions) => Promise<string>) | null
  /** the project's secrets, for the fields that can hold one; null where that is not known */
  secrets: {
    readonly names: readonly string[]
    /** null where one may not */
    readonly create: CreateSecret | null
  } | null
  /** makes a call from the server, once; null where one may not. Rejects with an Error whose message is a sentence to show */
  sendTestRequest: ((request: HttpCall, signal: AbortSignal) => Promise<HttpAnswer>) | null
}

/**
 * Keeps a value under this name, or without one under a free name like `like`, and gives the name. Rejects with an Error whose message is a
 * sentence to show.
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
  /** told what part has been sent, from 0 to 1 */
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
})

export const FlowScopeProvider = FlowScopeContext.Provider

export const useFlowScope = (): FlowScope => useContext(FlowScopeContext)

/** What a chip is called: a variable, one of the system, or a secret; undefined for a deleted variable. */
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

/** Looks variables up; stays the same object, and always answers from the latest list (an open editor outlives a new variable). */
export function useVariableLookup(): VariableLookup {
  const latest = useRef<FlowScope['variables']>([])
  latest.current = useFlowScope().variables
  return useMemo(
    () => ({
      nameOf: (id) => nameOfVariable(id, latest.current),
      // a name that clashes is the user's own variable
      idOf: (name) => [...latest.current, ...systemVariables].find((variable) => variable.name === name)?.id,
    }),
    [],
  )
}
