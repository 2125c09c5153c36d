package io.quiver.remote.http;

import io.quiver.remote.ObjectAddress;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.SingleObjectStore;
import io.quiver.remote.retry.RetryingStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;

/** Opens web addresses: single objects and lists of them. */
public final class WebStores {
  private WebStores() {}

  /** Opens a URL list if the name ends in {@code .txt}, else one object. */
  public static RemoteStore open(String address, RemoteConfig config) throws IOException {
    URI target = parse(address);
    String path = target.getPath();
    if (path.toLowerCase(Locale.ROOT).endsWith(".txt")) {
      return openWebList(target, config);
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + ObjectAddress.withoutSecrets(address)
              + "' is a folder, which the web cannot list; give the address of a .txt list of URLs");
    }
    String uri = ObjectAddress.withoutSecrets(address);
    RemoteStore object = objects(target, Map.of(name, target), uri, config);
    return new SingleObjectStore(object, name, uri);
  }

  /** Opens a URL list whatever its name, on the web or in a local file. */
  public static RemoteStore openList(String address, RemoteConfig config) throws IOException {
    return switch (ObjectAddress.scheme(address)) {
      case "http", "https" -> openWebList(parse(address), config);
      case "file" -> openFileList(ObjectAddress.filePath(address), config);
      case "" -> openFileList(Path.of(address), config);
      default ->
          throw new IllegalArgumentException(
              "a list of URLs is a local file or a web address, not '"
                  + ObjectAddress.withoutSecrets(address)
                  + "'");
    };
  }

  private static RemoteStore openWebList(URI list, RemoteConfig config) throws IOException {
    String uri = ObjectAddress.withoutSecrets(list);
    NavigableMap<String, URI> targets;
    try (RemoteStore source = objects(list, Map.of("list", list), uri, config);
        InputStream text = source.open("list", 0, -1)) {
      targets = UrlList.parse(text, list, uri);
    }
    boolean named = list.getPath().toLowerCase(Locale.ROOT).endsWith(".txt");
    return listed(list, targets, named ? uri : "@" + uri, config);
  }

  private static RemoteStore openFileList(Path list, RemoteConfig config) throws IOException {
    NavigableMap<String, URI> targets;
    try (InputStream text = new BufferedInputStream(Files.newInputStream(list))) {
      targets = UrlList.parse(text, null, list.toString());
    }
    URI home = list.toAbsolutePath().normalize().toUri();
    return listed(home, targets, "@" + home, config);
  }

  private static RemoteStore listed(
      URI home, NavigableMap<String, URI> targets, String uri, RemoteConfig config)
      throws IOException {
    return new UrlListStore(objects(home, targets, uri, config), targets, config.connections());
  }

  private static RemoteStore objects(
      URI home, Map<String, URI> targets, String uri, RemoteConfig config) throws IOException {
    return new RetryingStore(new HttpSource(new HttpRequests(home, config), targets, uri), config);
  }

  private static URI parse(String address) {
    URI target = URI.create(UrlList.encode(address));
    if (!UrlList.isWeb(target) || target.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "'"
              + ObjectAddress.withoutSecrets(address)
              + "' must be an http(s) URL without a password; configure a header instead");
    }
    return target;
  }
}
