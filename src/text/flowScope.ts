import { createContext, useContext, useMemo, useRef } from 'react'

/** What texts and forms know of the flow around them. The builder provides one value and renews it when one of these changes. */
export interface FlowScope {
  variables: readonly { readonly id: string; readonly name: string }[]
  /** what go-to can aim at, in the order they are offered */
  groups: readonly { readonly id: string; readonly title: string }[]
  /** adds a variable whose name passed `checkVariableName`, and gives its id; null where one may not (read-only) */
  createVariable: ((name: string) => string) | null
  /**
   * takes an image in and gives its address; null where one may not. Rejects with an Error whose message is a sentence to show, or with
   * the signal's reason
   */
  uploadImage: ((file: File, options: UploadOptions) => Promise<string>) | null
}

export interface UploadOptions {
  /** told what part has been sent, from 0 to 1 */
  onProgress: (part: number) => void
  signal: AbortSignal
}

const FlowScopeContext = createContext<FlowScope>({
  variables: [],
  groups: [],
  createVariable: null,
  uploadImage: null,
})

export const FlowScopeProvider = FlowScopeContext.Provider

export const useFlowScope = (): FlowScope => useContext(FlowScopeContext)

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
      nameOf: (id) => latest.current.find((variable) => variable.id === id)?.name,
      idOf: (name) => latest.current.find((variable) => variable.name === name)?.id,
    }),
    [],
  )
}
