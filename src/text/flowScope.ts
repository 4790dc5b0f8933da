import { createContext, useContext } from 'react'

/** What texts and forms know of the flow around them. The builder provides one value and renews it when one of these changes. */
export interface FlowScope {
  variables: readonly { readonly id: string; readonly name: string }[]
  /** what go-to can aim at, in the order they are offered */
  groups: readonly { readonly id: string; readonly title: string }[]
  /** adds a variable whose name passed `checkVariableName`, and gives its id; null where one may not (read-only) */
  createVariable: ((name: string) => string) | null
}

const FlowScopeContext = createContext<FlowScope>({ variables: [], groups: [], createVariable: null })

export const FlowScopeProvider = FlowScopeContext.Provider

export const useFlowScope = (): FlowScope => useContext(FlowScopeContext)

/** The variable's name; undefined when it was deleted. */
export const useVariableName = (id: string): string | undefined =>
  useFlowScope().variables.find((variable) => variable.id === id)?.name
