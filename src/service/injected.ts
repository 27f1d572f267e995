/** One request as it reaches the service, without a socket. */
export interface InjectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | object
}

/** A response of the service. Header names are lower-case. */
export interface InjectedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  readonly body: string
}

/** A service that is called without a socket. */
export interface InProcessService {
  /** Rejects once the service is closed. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>
  close(): Promise<void>
}
