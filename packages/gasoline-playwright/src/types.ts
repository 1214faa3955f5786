// What a test sees of Gasoline.

/** The options of the fixture, set under `use` in the Playwright configuration. */
export interface GasolineOptions {
  /** Port of the Gasoline server. Default: 7890, or GASOLINE_PORT from the environment. */
  gasolinePort: number;
  /** Whether to start a server when none answers. Default: true. */
  gasolineAutoStart: boolean;
  /** The command that starts the server. Default: `gasoline`. */
  gasolineBinary: string;
  /** `errors-only` keeps requests that failed, `all` keeps every one. Default: `errors-only`. */
  gasolineCaptureMode: 'errors-only' | 'all';
  /** Whether a failed test gets what was captured as attachments. Default: true. */
  gasolineAttachOnFailure: boolean;
}

/** The `gasoline` fixture. None of it fails a test when the server does not answer. */
export interface GasolineFixture {
  /** What was captured during this test so far, or after a time (ISO 8601). */
  getSnapshot: (since?: string) => Promise<GasolineSnapshot>;
  /** Forget what was captured during this test so far. */
  clear: () => Promise<void>;
  /** Mark where a test of your own naming starts or ends. */
  markTest: (testId: string, action: 'start' | 'end') => Promise<void>;
}

/** The server that a worker's tests send to. */
export interface GasolineServer {
  readonly port: number;
  readonly url: string;
}

/** Everything captured, as `/snapshot` answers it. */
export interface GasolineSnapshot {
  timestamp: string;
  logs: GasolineLog[];
  websocket_events: GasolineRecord[];
  network_bodies: GasolineNetworkBody[];
  enhanced_actions?: GasolineRecord[];
  performance?: GasolineRecord[];
  stats: GasolineStats;
  /** Only when the server did not answer: why this snapshot is empty. */
  blind?: string;
}

export interface GasolineStats {
  total_logs: number;
  error_count: number;
  warning_count: number;
  network_failures: number;
  ws_connections: number;
}

/** A captured record: its known fields, and whatever else was sent with it. */
export interface GasolineRecord {
  [field: string]: unknown;
}

export interface GasolineLog extends GasolineRecord {
  level?: string;
  source?: string;
  message?: string;
  stack?: string;
}

export interface GasolineNetworkBody extends GasolineRecord {
  method?: string;
  url?: string;
  status?: number;
  responseBody?: string;
  /** How long it took, or has waited, in milliseconds. */
  duration?: number;
  /** Whether it had no answer when it was told. */
  pending?: boolean;
}
