import { TextInput, type TextInputProps } from '@mantine/core'

/** A line of text: label above, description, error below. `error` is the text itself. */
export function TextField(props: TextInputProps) {
  return <TextInput autoComplete="off" {...props} />
}
