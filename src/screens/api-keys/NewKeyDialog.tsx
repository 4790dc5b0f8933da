import { NumberInput } from '@mantine/core'
import { Eye, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import {
  API_KEY_NAME,
  CALLS_A_MINUTE,
  type createApiKey,
  keyLifetimes,
  MOST_CALLS_A_MINUTE,
} from '../../../server/contracts/api-keys'
import type { Scope } from '../../../server/contracts/route'
import { fieldOr, fieldsOf } from '../../api/failure'
import { Choice, Choices } from '../../ui/Choices'
import { NameDialog } from '../../ui/NameDialog'
import { Select } from '../../ui/Select'
import styles from './apiKeys.module.css'

interface NewKeyDialogProps {
  opened: boolean
  loading: boolean
  error: unknown
  onSubmit: (key: z.infer<typeof createApiKey.body>) => void
  onClose: () => void
}

/** Asks for a new key's name, what it may do, when it ends, and how often it may call. */
export function NewKeyDialog({ opened, loading, error, onSubmit, onClose }: NewKeyDialogProps) {
  const { t } = useTranslation('apiKeys')
  const { t: common } = useTranslation()
  const [scope, setScope] = useState<Scope>('write')
  const [days, setDays] = useState('')
  const [calls, setCalls] = useState<number | string>('')
  const submit = (name: string) =>
    onSubmit({
      name,
      scope,
      ...(days !== '' && { expires_in_days: Number(days) as (typeof keyLifetimes)[number] }),
      ...(typeof calls === 'number' && { calls_a_minute: calls }),
    })
  return (
    <NameDialog
      opened={opened}
      title={t('new.title')}
      label={t('new.label')}
      placeholder={t('new.placeholder')}
      submit={t('create')}
      maxLength={API_KEY_NAME}
      loading={loading}
      error={error ? fieldOr(error, 'name', common('errors.message')) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.scope}>
        <Choices label={t('scope.label')} value={scope} onChange={setScope}>
          <Choice value="write" icon={<Pencil />} title={t('scope.write')} description={t('scope.writeHint')} />
          <Choice value="read" icon={<Eye />} title={t('scope.read')} description={t('scope.readHint')} />
        </Choices>
        <Select
          label={t('new.ends')}
          value={days}
          allowDeselect={false}
          data={[
            { value: '', label: t('new.endless') },
            ...keyLifetimes.map((each) => ({ value: String(each), label: t('new.days', { count: each }) })),
          ]}
          onChange={(value) => setDays(value ?? '')}
        />
        <NumberInput
          label={t('new.calls')}
          description={t('new.callsHint', { count: CALLS_A_MINUTE })}
          placeholder={String(CALLS_A_MINUTE)}
          min={1}
          max={MOST_CALLS_A_MINUTE}
          allowDecimal={false}
          value={calls}
          error={fieldsOf(error).calls_a_minute}
          onChange={setCalls}
        />
      </div>
    </NameDialog>
  )
}
