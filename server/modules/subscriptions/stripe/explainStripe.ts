import { ApiError } from '../../../platform/errors'

const typeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'type' in thrown && typeof thrown.type === 'string'
    ? thrown.type
    : ''

/** Whether Stripe does not know an id: it was deleted there, or is of another account. */
export const isMissing = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'resource_missing'

/** Runs calls of Stripe. @throws ApiError that says what people can do; what is our own mistake stays what it is */
export async function asking<T>(calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } catch (thrown) {
    switch (typeOf(thrown)) {
      case 'StripeConnectionError':
      case 'StripeAPIError':
      case 'StripeRateLimitError':
        throw new ApiError('billing_unavailable', { cause: thrown })
      case 'StripeAuthenticationError':
      case 'StripePermissionError':
        throw new ApiError('billing_unset', { cause: thrown })
      case 'StripeCardError':
        throw new ApiError('card_refused', { cause: thrown })
      case 'StripeIdempotencyError':
        throw new ApiError('conflict', { cause: thrown })
      default:
        throw thrown
    }
  }
}
