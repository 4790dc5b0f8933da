import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ContactConditions, conditionProblem, type Segment } from '../../../../server/contracts/contactFilter'
import { contactFieldsQuery } from '../../../api/contactFields'
import { failureText, fieldsOf } from '../../../api/failure'
import { useSegmentChanges } from '../../../api/segments'
import { Button } from '../../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../../ui/Modal'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import { ConditionRows } from './ConditionRows'
import styles from './segments.module.css'

interface FilterDialogProps {
  pgid: string
  filter: ContactConditions
  /** the segment that is changed; null: a filter of its own */
  segment: Segment | null
  mayChange: boolean
  onApply: (filter: ContactConditions) => void
  onSaved: (gid: string) => void
  onClose: () => void
}

/** Filters contacts by conditions, which may be saved as a segment. */
export function FilterDialog({
  pgid,
  filter: given,
  segment,
  mayChange,
  onApply,
  onSaved,
  onClose,
}: FilterDialogProps) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data } = useQuery(contactFieldsQuery(pgid))
  const own = data?.fields ?? []
  const { save } = useSegmentChanges(pgid)
  const [filter, setFilter] = useState<ContactConditions>(
    given.conditions.length > 0
      ? given
      : { ...given, conditions: [{ field: 'name', operator: 'contains', value: '' }] },
  )
  const [name, setName] = useState(segment?.name ?? '')
  const [asked, setAsked] = useState<'apply' | 'save' | null>(null)
  const isComplete = filter.conditions.every((condition) => conditionProblem(condition, own) === null)
  const wrong = fieldsOf(save.error)
  function apply(event: SubmitEvent): void {
    event.preventDefault()
    setAsked('apply')
    if (!isComplete) return
    onApply(filter)
  }
  function saveSegment(): void {
    setAsked('save')
    if (!isComplete || name.trim() === '') return
    save.mutate(
      { gid: segment?.gid ?? null, name, filter },
      {
        onSuccess: (saved) => {
          notify.success(t('segments.saved'))
          onSaved(saved.segment.gid)
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t(segment ? 'segments.change' : 'filters.title')}>
      <form onSubmit={apply} noValidate>
        <ModalText>{t('filters.description')}</ModalText>
        <ConditionRows
          filter={filter}
          own={own}
          others={data?.others ?? []}
          strict={asked !== null}
          onChange={setFilter}
        />
        {mayChange && (
          <div className={styles.save}>
            <TextField
              label={t('segments.name')}
              description={t('segments.nameHint')}
              value={name}
              maxLength={60}
              error={wrong.name ?? (asked === 'save' && name.trim() === '' ? t('segments.nameMissing') : undefined)}
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
            <Button loading={save.isPending} onClick={saveSegment}>
              {t(segment ? 'segments.save' : 'segments.create')}
            </Button>
          </div>
        )}
        {save.error && !wrong.name && (
          <p role="alert" className={styles.problem}>
            {failureText(save.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary">
            {t('filters.apply')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
