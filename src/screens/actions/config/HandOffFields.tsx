import { useTranslation } from 'react-i18next'
import { actionLengths } from '../../../../engine/values/agentActions'
import { Counted } from '../Counted'
import { useConfig } from '../draft'

export function HandOffFields() {
  const { t } = useTranslation('actions')
  const { config, set } = useConfig('hand-off')
  return (
    <>
      <Counted
        label={t('handOff.message')}
        path="config.message"
        rows={2}
        value={config.message}
        max={actionLengths.message}
        onChange={(message) => set({ message })}
      />
      <Counted
        label={t('handOff.team')}
        path="config.team"
        value={config.team}
        max={actionLengths.prefill}
        onChange={(team) => set({ team })}
      />
      <Counted
        label={t('handOff.note')}
        path="config.note"
        rows={2}
        hint={t('handOff.noteHint')}
        value={config.note}
        max={actionLengths.message}
        onChange={(note) => set({ note })}
      />
    </>
  )
}
