import { Textarea as LibraryTextarea, type TextareaProps } from '@mantine/core'
import { useCounted } from './useCounted'

/**
 * Several lines of plain text; grows with them from `minRows` to `maxRows`. What exceeds `maxLength` is said, not cut.
 */
export function TextArea(props: TextareaProps) {
  return <LibraryTextarea autosize minRows={2} maxRows={6} {...useCounted(props)} />
}
