import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedNumber } from '../../../server/contracts/whatsappSignup'
import { ApiFailure, failureText } from '../../api/failure'
import { type ChatbotPlace, useWhatsappChanges } from '../../api/whatsapp'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './whatsapp.module.css'

/** What a person has shared at Meta, as the callback's page hands it on. */
export interface Shared {
  grant: string
  numbers: SharedNumber[]
}

interface SharedNumbersProps {
  place: ChatbotPlace
  shared: Shared
  onDone: () => void
}

/** Which of the numbers that were shared at Meta is connected, and its PIN. */
export function SharedNumbers({ place, shared: { grant, numbers }, onDone }: SharedNumbersProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const [chosen, setChosen] = useState(numbers[0]?.number_id ?? '')
  const [pin, setPin] = useState('')
  const { connectShared } = useWhatsappChanges(place)
  const { error } = connectShared
  const fields: Partial<Record<string, string>> = error instanceof ApiFailure ? error.fields : {}
  const failed = error && !fields.pin ? error : null
  const number = numbers.find(({ number_id }) => number_id === chosen)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!number) return
    const { business_id, number_id, phone_number } = number
    connectShared.mutate(
      { grant, business_id, number_id, pin },
      {
        onSuccess: () => {
          notify.success(t('connected.done', { number: phone_number }))
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('shared.title')}
        description={t('shared.description')}
        footer={
          <>
            <Button onClick={onDone}>{common('actions.cancel')}</Button>
            <Button type="submit" design="primary" loading={connectShared.isPending}>
              {t('connect.submit')}
            </Button>
          </>
        }
      >
        <div className={styles.fields}>
          <Select
            label={t('shared.number')}
            value={chosen}
            allowDeselect={false}
            data={numbers.map(({ number_id, phone_number, name }) => ({
              value: number_id,
              label: [phone_number, name].filter(Boolean).join(' · '),
            }))}
            onChange={(value) => {
              connectShared.reset()
              setChosen(value ?? chosen)
            }}
          />
          <div className={styles.short}>
            <TextField
              label={t('fields.pin')}
              description={t('fields.pinHint')}
              value={pin}
              error={fields.pin}
              autoComplete="off"
              onChange={(event) => {
                connectShared.reset()
                setPin(event.currentTarget.value)
              }}
            />
          </div>
          {failed && (
            <p role="alert" className={styles.alert}>
              {Object.values(fields)[0] ?? failureText(failed, common('errors.message'))}
            </p>
          )}
        </div>
      </Card>
    </form>
  )
}
