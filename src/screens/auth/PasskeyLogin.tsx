import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { canUsePasskeys, deviceProblemOf, usePasskeyLogin } from '../../api/passkeys'
import { Button } from '../../ui/Button'
import styles from './auth.module.css'

/** Logs in by a passkey; says beside the button why that did not work. */
export function PasskeyLogin({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const login = usePasskeyLogin(onDone)
  const [isUnable, setUnable] = useState(false)
  const begin = () => {
    if (canUsePasskeys()) login.mutate()
    else setUnable(true)
  }
  const problem = login.error && deviceProblemOf(login.error)
  const said = isUnable
    ? t('passkey.unsupported')
    : problem
      ? t(`passkey.problems.${problem === 'cancelled' || problem === 'address' ? problem : 'failed'}`)
      : login.error && failureText(login.error, common('errors.message'))
  return (
    <>
      <Button size="l" wide icon={<KeyRound size={16} />} loading={login.isPending} onClick={begin}>
        {t('passkey.submit')}
      </Button>
      {said && (
        <p role="alert" className={styles.alert}>
          {said}
        </p>
      )}
    </>
  )
}
