import { Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useProfileChanges } from '../../api/profile'
import { Avatar } from '../../ui/Avatar'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ImageRefused, MOST_MEGAPIXELS } from '../../ui/openImage'
import styles from './account.module.css'
import { squarePicture } from './squarePicture'

/** The picture beside one's name: colleagues see it, and visitors whom one answers. */
export function PictureCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { first_name, last_name, picture } = useAccount().user.account
  const { picture: change } = useProfileChanges()
  const input = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = (file: Blob | null) =>
    change.mutate(file, { onError: (error) => setProblem(failureText(error, common('errors.message'))) })
  const choose = async (file: File) => {
    setProblem(undefined)
    setReading(true)
    try {
      save(await squarePicture(file))
    } catch (error) {
      const { reason, size } = error instanceof ImageRefused ? error : new ImageRefused('unreadable')
      setProblem(
        reason === 'tooLarge'
          ? t('picture.tooLarge', { ...size, most: MOST_MEGAPIXELS })
          : t('picture.unreadable', { name: file.name }),
      )
    } finally {
      setReading(false)
    }
  }
  const isBusy = isReading || change.isPending
  return (
    <Card title={t('picture.title')} description={t('picture.description')}>
      <div className={styles.picture}>
        <Avatar name={`${first_name} ${last_name}`} picture={picture} size={72} />
        <div className={styles.pictureActions}>
          <Button icon={<Upload size={15} />} loading={isBusy} onClick={() => input.current?.click()}>
            {t(picture ? 'picture.change' : 'picture.upload')}
          </Button>
          {picture && (
            <Button
              design="ghost"
              icon={<Trash2 size={15} />}
              disabled={isBusy}
              onClick={() => {
                setProblem(undefined)
                save(null)
              }}
            >
              {t('picture.remove')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('picture.file')}
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            currentTarget.value = ''
            if (file) void choose(file)
          }}
        />
      </div>
      {problem && (
        <p className={styles.alert} role="alert">
          {problem}
        </p>
      )}
    </Card>
  )
}
