import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/Select'
import { useFlowScope } from '../flowScope'
import { errorId, FieldFrame } from './FieldFrame'
import { useField } from './formContext'

/** A target group of the flow; `{ groupId }` or none. */
export function GroupField({ name }: { name: string }) {
  const { t } = useTranslation('text')
  const field = useField<{ groupId: string; blockId?: string } | null>(name)
  const { groups } = useFlowScope()
  const gone = field.value !== null && !groups.some(({ id }) => id === field.value?.groupId)
  const error = gone ? t('form.groupGone') : field.error
  return (
    <FieldFrame field={{ ...field, error }}>
      <Select
        id={field.id}
        data={groups.map(({ id, title }) => ({ value: id, label: title || t('form.untitled') }))}
        value={gone ? null : (field.value?.groupId ?? null)}
        placeholder={field.placeholder ?? t('form.chooseGroup')}
        nothingFoundMessage={t('form.noGroup')}
        searchable
        clearable={!field.readOnly}
        disabled={field.readOnly}
        error={error !== undefined}
        aria-describedby={errorId(field.id)}
        onChange={(groupId) => field.set(groupId === null ? null : { groupId })}
      />
    </FieldFrame>
  )
}
