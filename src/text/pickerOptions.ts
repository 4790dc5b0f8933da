import { secretIdOf, secretLabel } from '../../engine/values/secrets'
import { systemVariables } from '../../engine/values/systemVariables'
import { splitPath } from '../../engine/values/valuePath'

export interface PickerOption {
  variableId: string
  name: string
  /** the part of its value that was typed after the name */
  path?: string
  system: boolean
  /** a secret of the project */
  secret?: true
}

/**
 * Filters the options: the flow's variables first, then system variables (equal names mean the flow's). A whole name
 * followed by a dot or bracket offers a part of that variable.
 */
export function pickerOptions(
  variables: readonly { readonly id: string; readonly name: string }[],
  filter: string,
  { system, parts, secrets = [] }: { system: boolean; parts: boolean; secrets?: readonly string[] },
): PickerOption[] {
  const all = [
    ...variables.map(({ id, name }) => ({ variableId: id, name, system: false })),
    ...(system ? systemVariables.map(({ id, name }) => ({ variableId: id, name, system: true })) : []),
  ]
  const kept = secrets.map(
    (name): PickerOption => ({ variableId: secretIdOf(name), name: secretLabel(name), system: false, secret: true }),
  )
  const wanted = filter.trim().toLowerCase()
  const { name, path } = splitPath(filter)
  const whole =
    parts && path !== undefined ? all.find((one) => one.name.toLowerCase() === name.toLowerCase()) : undefined
  const found = [...all, ...kept].filter((one: PickerOption) => one.name.toLowerCase().includes(wanted))
  return whole && path !== undefined ? [{ ...whole, path }, ...found] : found
}
