import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button'
import { Modal, ModalActions } from './Modal'
import { TextField } from './TextField'

export interface NameDialogProps {
  opened: boolean
  title: string
  label: string
  /** the button's label */
  submit: string
  initial?: string
  placeholder?: string
  maxLength: number
  loading?: boolean
  error?: string | undefined
  /** further fields below the name */
  children?: ReactNode
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for a name: to create or to rename. */
export function NameDialog(props: NameDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      <NameForm {...props} />
    </Modal>
  )
}

function NameForm({
  label,
  submit,
  initial = '',
  placeholder,
  maxLength,
  loading,
  error,
  children,
  onSubmit,
  onClose,
}: NameDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(initial)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() && name.trim().length <= maxLength) onSubmit(name.trim())
  }
  return (
    <form onSubmit={send}>
      <TextField
        label={label}
        value={name}
        placeholder={placeholder}
        maxLength={maxLength}
        error={error}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      {children}
      <ModalActions>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
        <Button type="submit" design="primary" disabled={!name.trim()} loading={loading ?? false}>
          {submit}
        </Button>
      </ModalActions>
    </form>
  )
}
