import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Gate {
    private static final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(1)).build();

    static boolean mayPlay(String token, String requestor, String resource) throws Exception {
        String body = "{\"token\":" + quoted(token) + ",\"requestor\":" + quoted(requestor)
                + ",\"resource\":" + quoted(resource) + "}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("VERIFIER") + "/v1/verify"))
                .timeout(Duration.ofSeconds(2))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + System.getenv("VERIFIER_KEY"))
                .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IllegalStateException(response.body());
        String answer = response.body();
        // The service's own fields stand without blanks, and text inside a claim has its quotes escaped.
        return answer.startsWith("{\"verdict\":\"validToken\",") && answer.contains(",\"firstUse\":true");
    }

    /** A text in JSON: a resource may be an MRSS document, with quotes and line ends. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            if (unit == '"' || unit == '\\') json.append('\\').append(unit);
            else if (unit < ' ') json.append(String.format("\\u%04x", (int) unit));
            else json.append(unit);
        }
        return json.append('"').toString();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(mayPlay(System.getenv("TOKEN"), "DEMO", "DEMO-1") ? "play" : "refuse");
    }
}
