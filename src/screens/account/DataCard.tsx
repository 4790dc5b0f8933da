import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { accountDataFile } from '../../api/profile'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { downloadBlob } from '../../ui/downloadBlob'
import { notify } from '../../ui/notify'

/** Downloads what is kept of the account. */
export function DataCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const download = useMutation({
    mutationFn: accountDataFile,
    onSuccess: (file) => downloadBlob(file, 'parley-account.json'),
    onError: (error) => notify.error(failureText(error, common('errors.message'))),
  })
  return (
    <Card
      title={t('data.title')}
      description={t('data.description')}
      actions={
        <Button loading={download.isPending} onClick={() => download.mutate()}>
          {t('data.download')}
        </Button>
      }
    />
  )
}
