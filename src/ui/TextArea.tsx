import { Textarea as LibraryTextarea, type TextareaProps } from '@mantine/core'

/** Several lines of plain text; grows with them from `minRows` to `maxRows`. */
export function TextArea(props: TextareaProps) {
  return <LibraryTextarea autosize minRows={2} maxRows={6} {...props} />
}
