import { TextInput, type TextInputProps } from '@mantine/core'
import { useCounted } from './useCounted'

/**
 * A line of text: label above, description, error below. `error` is the text itself; text above `maxLength` is an
 * error, not cut.
 */
export function TextField(props: TextInputProps) {
  return <TextInput autoComplete="off" {...useCounted(props)} />
}
