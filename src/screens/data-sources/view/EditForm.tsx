import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { LeaveGuard } from '../../../ui/LeaveGuard'
import { notify } from '../../../ui/notify'
import styles from './source.module.css'

interface EditFormProps {
  dirty: boolean
  complete: boolean
  saving: boolean
  /** @param onSaved call it when the server has saved */
  save: (onSaved: () => void) => void
  /** @param tried saving was attempted: missing fields are marked */
  children: (tried: boolean) => ReactNode
}

/** The frame of a form for a hand-written source: saves it when complete, and asks before leaving. */
export function EditForm({ dirty, complete, saving, save, children }: EditFormProps) {
  const { t } = useTranslation('sources')
  const [tried, setTried] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (dirty && complete) save(() => notify.success(t('view.saved')))
  }
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Card
          footer={
            <Button type="submit" design="primary" disabled={!dirty} loading={saving}>
              {t('view.save')}
            </Button>
          }
        >
          <div className={styles.fields}>{children(tried)}</div>
        </Card>
      </form>
      <LeaveGuard
        isUnsaved={() => dirty}
        title={t('view.leaveTitle')}
        message={t('view.leaveMessage')}
        confirm={t('view.leave')}
      />
    </>
  )
}
