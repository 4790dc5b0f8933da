import { Textarea, type TextareaProps } from '@mantine/core'
import controls from './controls.module.css'

export interface TextAreaProps extends TextareaProps {
  value: string
  /** shows how much of this many characters is used; does not cut */
  counter?: number
}

export function TextArea({ counter, ...props }: TextAreaProps) {
  return (
    <div>
      <Textarea autosize minRows={3} maxRows={12} {...props} />
      {counter !== undefined && (
        <div className={controls.textareaFoot} data-over={props.value.length > counter || undefined}>
          {props.value.length} / {counter}
        </div>
      )}
    </div>
  )
}
