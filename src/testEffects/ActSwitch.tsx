import { useTranslation } from 'react-i18next'
import { useCan } from '../api/account'
import { Switch } from '../ui/Switch'
import { Tooltip } from '../ui/Tooltip'

interface ActSwitchProps {
  on: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}

/** Whether a test carries out its changes outside. Hidden without permission; the server checks as well. */
export function ActSwitch({ on, disabled, onChange }: ActSwitchProps) {
  const { t } = useTranslation('testEffects')
  if (!useCan('builder.update')) return null
  return (
    <Tooltip label={t('switchHelp')}>
      <Switch
        size="xs"
        label={t('switch')}
        checked={on}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Tooltip>
  )
}
