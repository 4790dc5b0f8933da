import { Textarea as LibraryTextarea, type TextareaProps } from '@mantine/core'
import { useCounted } from './useCounted'

/** Multi-line plain text that grows from `minRows` to `maxRows`. Text above `maxLength` is an error, not cut. */
export function TextArea(props: TextareaProps) {
  return <LibraryTextarea autosize minRows={2} maxRows={6} {...useCounted(props)} />
}
