import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { Eye, EyeOff } from 'lucide-react'

export interface PasswordFieldProps extends PasswordInputProps {
  /** the accessible name of the reveal button */
  revealLabel: string
}

export function PasswordField({ revealLabel, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...props}
      visibilityToggleIcon={({ reveal }) => (reveal ? <EyeOff size={15} /> : <Eye size={15} />)}
      visibilityToggleButtonProps={{
        'aria-label': revealLabel,
        tabIndex: 0,
        'aria-hidden': false,
      }}
    />
  )
}
